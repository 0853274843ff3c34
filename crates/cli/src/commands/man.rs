//! `fissure man`: one page for the program, and a section for each command.

use clap_mangen::Man;

use crate::{Error, Result, args};

pub fn run() -> Result<()> {
    let mut page = Vec::new();
    let mut command = args::command();
    command.build();
    let rendered = Man::new(command.clone()).render(&mut page).and_then(|()| {
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let man = Man::new(sub.clone());
            man.render_name_section(&mut page)?;
            man.render_synopsis_section(&mut page)?;
            man.render_options_section(&mut page)?;
            man.render_extra_section(&mut page)?;
        }
        Ok(())
    });
    rendered.map_err(Error::writing("the manual page"))?;
    crate::ui::print(&String::from_utf8_lossy(&page)).map_err(Error::writing("standard output"))
}
