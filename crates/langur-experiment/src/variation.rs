//! What differs from the defaults in a cell.

use std::collections::BTreeMap;

use langur_lab::Switches;
use serde_json::Value;

use crate::ExperimentError;
use crate::plan::FactorPlan;

/// Settings that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variation {
    /// Free parameters of the preset.
    pub free: BTreeMap<String, Value>,
    /// Switches.
    pub switches: BTreeMap<String, Value>,
    /// A strategy's name, a parameter of it, and the setting.
    pub parameter: Option<(String, String, String)>,
}

impl Variation {
    /// One switch.
    pub fn switch(name: &str, setting: Value) -> Variation {
        Variation { switches: [(name.to_owned(), setting)].into(), ..Variation::default() }
    }

    /// One setting of a factor.
    pub fn of(factor: &FactorPlan, setting: &Value) -> Result<Variation, ExperimentError> {
        let name = factor.name()?.to_owned();
        if factor.free.is_some() {
            return Ok(Variation {
                free: [(name, setting.clone())].into(),
                ..Variation::default()
            });
        }
        if factor.switch.is_some() {
            return Ok(Variation::switch(&name, setting.clone()));
        }
        let (strategy, parameter) = name.split_once('.').ok_or_else(|| {
            ExperimentError::Plan(format!("a parameter is named as in lswc.count, not \"{name}\""))
        })?;
        let parameter = (strategy.to_owned(), parameter.to_owned(), plain(setting));
        Ok(Variation { parameter: Some(parameter), ..Variation::default() })
    }

    /// All switches, the defaults included.
    pub fn all_switches(&self) -> Result<Switches, ExperimentError> {
        let mut described = Switches::default().described();
        for (name, setting) in &self.switches {
            if !described.contains_key(name) && name != "random_seed" {
                let names: Vec<&str> = described.keys().map(String::as_str).collect();
                return Err(ExperimentError::Plan(format!(
                    "there is no switch \"{name}\"; there are: {}, random_seed",
                    names.join(", ")
                )));
            }
            described.insert(name.clone(), setting.clone());
        }
        if described.get("order") == Some(&"random".into()) {
            described.entry("random_seed".to_owned()).or_insert(1.into());
        }
        let written = || {
            let switches = self.switches.iter();
            let pairs = switches.map(|(name, setting)| format!("{name} = {}", plain(setting)));
            pairs.collect::<Vec<_>>().join(", ")
        };
        Switches::read(&described).ok_or_else(|| {
            ExperimentError::Plan(format!(
                "no such setting: {}; see langur simulate --help for what each switch takes",
                written()
            ))
        })
    }

    /// A strategy with the varied parameter, if it is one that has it.
    pub fn strategy(&self, written: &str) -> String {
        let name = written.split('(').next().unwrap_or(written).trim();
        match &self.parameter {
            Some((strategy, parameter, setting)) if strategy == name => {
                match written.strip_suffix(')') {
                    Some(open) => format!("{open},{parameter}={setting})"),
                    None => format!("{written}({parameter}={setting})"),
                }
            }
            _ => written.to_owned(),
        }
    }
}

/// A setting as one writes it.
pub fn plain(setting: &Value) -> String {
    setting.as_str().map_or_else(|| setting.to_string(), str::to_owned)
}

/// Every combination of the listed settings.
pub fn combinations(lists: &BTreeMap<String, Vec<Value>>) -> Vec<Variation> {
    let mut all = vec![Variation::default()];
    for (name, settings) in lists {
        let with = |variation: &Variation, setting: &Value| {
            let mut variation = variation.clone();
            variation.switches.insert(name.clone(), setting.clone());
            variation
        };
        all = all.iter().flat_map(|v| settings.iter().map(move |s| with(v, s))).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_added_to_its_strategy_alone() {
        let parameter = Some(("lswc".to_owned(), "count".to_owned(), "all".to_owned()));
        let variation = Variation { parameter, ..Variation::default() };
        assert_eq!(variation.strategy("lswc(s=1,t=1)"), "lswc(s=1,t=1,count=all)");
        assert_eq!(variation.strategy("lswc"), "lswc(count=all)");
        assert_eq!(variation.strategy("hard-focused"), "hard-focused");
    }

    #[test]
    fn combinations_are_all_there() {
        let lists = [
            ("lead".to_owned(), vec!["better".into(), "first".into()]),
            ("reopen".to_owned(), vec![true.into(), false.into()]),
        ];
        assert_eq!(combinations(&lists.into()).len(), 4);
    }

    #[test]
    fn unknown_switches_are_refused() {
        let error = Variation::switch("speed", 1.into()).all_switches().unwrap_err();
        assert!(error.to_string().contains("there is no switch \"speed\""), "{error}");
        assert!(Variation::switch("lead", "worse".into()).all_switches().is_err());
    }
}
