use fissure_core::*;
fn main() {
    // lines: name|k=v,k=v|text ; prints seeds 0..5
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let mut it = line.splitn(3, '|');
        let (name, set, text) = (it.next().unwrap(), it.next().unwrap(), it.next().unwrap());
        let settings: Vec<(String, String)> = set
            .split(',')
            .filter(|s| !s.is_empty())
            .map(|s| s.split_once('=').unwrap())
            .map(|(a, b)| (a.into(), b.into()))
            .collect();
        let chain = Chain::build(&fissure_probes::TRANSFORMS, name, &settings).unwrap();
        println!("== {line}");
        for seed in 0..std::env::args().nth(1).map_or(4, |n| n.parse().unwrap()) {
            let sample = Sample::of_text("example", text);
            match chain.run(&sample, seed, 0) {
                Outcome::Changed(v) => println!("  {seed} {}", v.sample.fields[0].text.as_str()),
                other => println!("  {seed} {other:?}"),
            }
        }
    }
}
