//! Every task, one file each.

mod absa;
mod classification;
mod coref;
mod cws;
mod dp;
mod mrc;
mod mt;
mod ner;
mod nli;
mod pos;
mod re;
mod sa;
mod sm;
mod wsd;

use crate::Task;

/// Every task, in the order of lists.
pub static ALL: &[&Task] = &[
    &classification::TASK,
    &sa::TASK,
    &absa::TASK,
    &nli::TASK,
    &sm::TASK,
    &ner::TASK,
    &pos::TASK,
    &dp::TASK,
    &cws::TASK,
    &mrc::TASK,
    &coref::TASK,
    &re::TASK,
    &mt::TASK,
    &wsd::TASK,
];

/// Declares a task: docs, fields, labels, usual names of their columns, metric. The card is made from it.
macro_rules! task {
    (
        $(#[doc = $doc:literal])+
        fields: { $( $field:literal ($state:ident) = [$first_name:literal $(, $field_name:literal)* $(,)?] ),+ $(,)? }
        labels: { $( $label:literal ($need:ident) = [$first_label:literal $(, $label_name:literal)* $(,)?] ),* $(,)? }
        texts: $texts:ident,
        labelled: $labelled:ident,
        $( layers: $layers:expr, )?
        $( senses: $senses:expr, )?
        $( aliases: $aliases:expr, )?
        metric: $metric:literal,
        metrics: $metrics:expr,
        read: $read:expr,
        write: $write:expr,
        answers: $answers:expr,
        $( besides: $besides:expr, )?
    ) => {
        pub(super) static TASK: $crate::Task = $crate::Task {
            card: fissure_core::Card {
                $( aliases: $aliases, )?
                facts: &[
                    $( (concat!("field ", $field, super::task!(@state $state)), concat!($first_name $(, ", ", $field_name)*)), )+
                    $( (concat!("label ", $label), concat!($first_label $(, ", ", $label_name)*)), )*
                    ("metric", $metric),
                ],
                ..fissure_core::Card::new(
                    fissure_core::Kind::Task,
                    fissure_core::last_segment(module_path!()),
                    concat!($($doc, "\n"),+),
                    file!(),
                    line!(),
                )
            },
            facts: fissure_core::TaskFacts {
                name: fissure_core::last_segment(module_path!()),
                texts: fissure_core::Texts::$texts,
                labels: fissure_core::LabelKind::$labelled,
                layers: super::task!(@list $($layers)?),
                senses: super::task!(@list $($senses)?),
            },
            roles: &[
                $( $crate::Role {
                    name: $field,
                    names: &[$first_name $(, $field_name)*],
                    need: $crate::Presence::Always,
                    open: Some(super::task!(@open $state)),
                    asked: super::task!(@asked $state),
                }, )+
                $( $crate::Role {
                    name: $label,
                    names: &[$first_label $(, $label_name)*],
                    need: $crate::Presence::$need,
                    open: None,
                    asked: false,
                }, )*
            ],
            metric: $metric,
            answers: $answers,
            read: $read,
            write: $write,
            metrics: $metrics,
            besides: super::task!(@besides $($besides)?),
        };
    };
    (@open open) => { true };
    (@open closed) => { false };
    (@open answer) => { false };
    (@asked answer) => { false };
    (@asked $other:ident) => { true };
    (@state open) => { "" };
    (@state closed) => { " (not edited)" };
    (@state answer) => { " (the answer; not edited)" };
    (@list $list:expr) => { $list };
    (@list) => { &[] };
    (@besides $besides:expr) => { $besides };
    (@besides) => { |_| serde_json::Map::new() };
}
use task;
