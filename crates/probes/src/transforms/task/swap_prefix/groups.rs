//! Words with a prefix that can stand for each other: the same stem, the same part of speech, and built alike (what one
//! takes as its object the others take too). `review` and `interview` are not among them: a thing is reviewed, a person
//! interviewed. Written for this project.

use fissure_text::inflection::Kind;

pub(super) const GROUPS: &[(Kind, &[&str])] = &[
    (Kind::Verb, &[
        "import export transport", "overestimate underestimate", "overstate understate misstate", "overvalue undervalue",
        "overrate underrate", "overcharge undercharge", "overpay underpay prepay", "upgrade downgrade",
        "upload download reload", "overuse misuse reuse", "misread reread", "reconnect disconnect", "unpack repack",
        "undo redo", "untie retie", "uncover discover", "replace displace", "misjudge prejudge",
        "misinterpret reinterpret", "reappear disappear", "review preview", "reheat preheat overheat", "reset preset",
        "refill overfill", "rethink overthink", "resell oversell undersell", "overcook undercook precook",
        "redirect misdirect", "recalculate miscalculate", "remarry intermarry", "rearrange prearrange",
        "retype mistype", "reassemble disassemble", "reinstall uninstall", "disarm rearm", "unwind rewind",
        "oversee foresee", "unwrap rewrap", "unfold refold", "mistrust distrust", "predate postdate",
        "misplace displace", "rename misname", "reprint misprint", "reorder preorder", 
        "disinfect reinfect", "dismount remount", "relabel mislabel",
        "resupply undersupply", 
    ]),
    (Kind::Noun, &[
        "import export", "upgrade downgrade", "upload download", "upturn downturn", "microscope telescope",
        "bicycle tricycle", "supermarket hypermarket", "internet intranet", "undergraduate postgraduate",
        "uptime downtime", "upside downside", "overpass underpass bypass", "review preview", "intake uptake",
        "misuse reuse overuse", "subset superset", "overestimate underestimate", "mistrust distrust",
        "reprint misprint", "upstairs downstairs", "downtown uptown midtown", "exporter importer transporter",
        "underestimation overestimation", "reinterpretation misinterpretation", "disappearance reappearance",
        "disconnection reconnection", 
        "miscalculation recalculation", "pretest retest", 
    ]),
    (Kind::Adjective, &[
        "overweight underweight", "overpriced underpriced", "overpaid underpaid unpaid prepaid",
        "overrated underrated unrated", "overcooked undercooked uncooked", "underdeveloped undeveloped overdeveloped",
        "overdressed underdressed", "overused underused unused", "prewar postwar interwar",
        "international multinational transnational", "interstate intrastate", "inactive hyperactive interactive",
        "premature immature", "inhuman superhuman subhuman nonhuman", "unnatural supernatural",
        "bilingual multilingual trilingual", "bilateral multilateral trilateral", "unripe overripe",
        "unqualified overqualified underqualified", "understaffed overstaffed", "uncrowded overcrowded",
        "uninterested disinterested", "dissatisfied unsatisfied", "unprofessional nonprofessional semiprofessional",
        "prenatal postnatal", "intercontinental transcontinental", "interracial multiracial biracial",
        "interdisciplinary multidisciplinary", "nonpartisan bipartisan", "microscopic macroscopic",
        "misinformed uninformed", "misguided unguided", "unmarried remarried", "unnamed renamed", "upscale downscale",
        "uphill downhill", "downtown uptown midtown", "upstream downstream", "undercooked precooked",
        "unused reused",
        "unattached reattached", "unarmed disarmed rearmed",
    ]),
    (Kind::Adverb, &[
        "upstairs downstairs", "upward downward", "upwards downwards", "upstream downstream", "uphill downhill",
        "uptown downtown midtown", 
    ]),
];
