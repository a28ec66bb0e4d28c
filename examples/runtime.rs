//! A small runtime that dispatches calls by type: it reads one `{"name", "arguments"}` a line, checks it, runs it against
//! an implementation in memory, and writes one answer a line.
//!
//! `cargo run --package agentry-examples --bin runtime -- subagents < examples/calls.jsonl`

use agentry::contract::values::{FreeText, MemoryKey, Object};
use agentry::contract::{Answer, Call, Environment, Principal, memory, plan, time};
use agentry::{Finding, Mode, Value, json, read_document};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

/// What is written for a line.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Answered {
        answer: Answer,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Said>,
    },
    Refused {
        error: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Said>,
    },
}

/// A finding, as whoever made the call is told: a model reads it and calls again.
#[derive(Serialize)]
struct Said {
    severity: &'static str,
    rule: &'static str,
    pointer: String,
    message: String,
}

impl From<Finding> for Said {
    fn from(finding: Finding) -> Self {
        Self {
            severity: finding.severity.name(),
            rule: finding.rule.name,
            pointer: finding.pointer,
            message: finding.message,
        }
    }
}

/// The state that the tools work on.
struct Runtime {
    environment: Environment,
    principal: Principal,
    memory: BTreeMap<MemoryKey, Value>,
    plan: Option<Plan>,
}

struct Plan {
    goal: FreeText,
    items: Vec<plan::PlanItem>,
}

/// Nobody is kept waiting longer by an example.
const LONGEST_SLEEP: Duration = Duration::from_secs(1);

impl Runtime {
    fn new(principal: Principal) -> Self {
        Self { environment: Environment::new(), principal, memory: BTreeMap::new(), plan: None }
    }

    /// Reads a line, and answers it. What is wrong with it is found in one go, so that one more try is enough.
    fn answer(&mut self, line: &str) -> Line {
        // Strictly: a call with an option that the contract does not have is not carried out by guessing.
        let reading = read_document::<Call>(&json::parse(line), Mode::Strict);
        let valid = reading.is_valid();
        let findings = reading.findings.into_iter().map(Said::from).collect();
        let call = match reading.value {
            Some(call) if valid => call,
            _ => return Line::Refused { error: "this is no valid call".to_owned(), findings },
        };
        match self.permit(&call).and_then(|()| self.run(call)) {
            Ok(answer) => Line::Answered { answer, findings },
            Err(error) => Line::Refused { error, findings },
        }
    }

    /// Whether the caller may call the tool, and somebody implements it.
    fn permit(&self, call: &Call) -> Result<(), String> {
        let (contract, principal) = (call.contract(), self.principal);
        if !contract.allows(principal) {
            return Err(format!("`{contract}` is not granted to {principal}"));
        }
        if self.environment.offered(principal).all(|offer| offer.contract != contract) {
            return Err(format!("`{contract}` has no implementation here: map it to a server"));
        }
        Ok(())
    }

    /// Each contract has a type of its own, so no argument is looked up by name and none has a wrong type.
    fn run(&mut self, call: Call) -> Result<Answer, String> {
        match call {
            Call::MemoryGet(input) => {
                let value = self.memory.get(&input.key).cloned();
                let mut output = memory::MemoryGetOutput::new(value.is_some()).with_key(input.key);
                output.value = value;
                Ok(output.into())
            }
            Call::MemorySet(input) => {
                self.memory.insert(input.key.clone(), input.value);
                Ok(memory::MemorySetOutput::new(true).with_key(input.key).into())
            }
            Call::MemoryList(input) => {
                let prefix = input.prefix.as_ref().map_or("", |prefix| prefix.as_str());
                let keys = self.memory.keys().map(MemoryKey::as_str).filter(|key| key.starts_with(prefix));
                let records = keys.map(|key| object([("key", Value::String(key.to_owned()))]).into());
                Ok(memory::MemoryListOutput::new(records.collect()).into())
            }
            Call::MemoryDelete(input) => {
                let was_there = self.memory.remove(&input.key).is_some();
                Ok(memory::MemoryDeleteOutput::new(was_there).with_key(input.key).into())
            }
            Call::Sleep(input) => {
                // Any text is a valid duration to the contract; what it means is this runtime's to say.
                let duration =
                    input.duration.parse().ok_or("nobody can say how long that is: write `30s`")?;
                let duration = duration.min(LONGEST_SLEEP);
                std::thread::sleep(duration);
                let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
                Ok(time::SleepOutput::new(milliseconds.into()).into())
            }
            Call::PlanCreate(input) => {
                let items = input.items.iter().zip(1..).map(|(item, id)| {
                    let title = Value::String(item.title().as_str().to_owned());
                    let status = Value::String("pending".to_owned());
                    object([("id", Value::Integer(id)), ("title", title), ("status", status)]).into()
                });
                let items: Vec<plan::PlanItem> = items.collect();
                self.plan = Some(Plan { goal: input.goal.clone(), items: items.clone() });
                Ok(plan::PlanCreateOutput::new(input.goal, items).into())
            }
            Call::PlanGet(_) => {
                let mut output = plan::PlanGetOutput::new();
                output.plan = self.plan.as_ref().map(|plan| {
                    let entries = |item: &plan::PlanItem| {
                        item.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
                    };
                    let items = plan.items.iter().map(|item| Value::Table(entries(item))).collect();
                    let goal = Value::String(plan.goal.as_str().to_owned());
                    let plan = [("goal", goal), ("items", Value::Array(items))];
                    Value::Table(plan.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
                });
                Ok(output.into())
            }
            Call::PlanClear(_) => {
                self.plan = None;
                Ok(plan::PlanClearOutput::new(true).into())
            }
            other => Err(format!("`{}` is not implemented in this example", other.name())),
        }
    }
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Object {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    let Some(principal) = name.as_deref().map_or(Some(Principal::Root), Principal::from_name) else {
        let names: Vec<&str> = Principal::ALL.iter().map(|principal| principal.name()).collect();
        eprintln!("the callers are {}", names.join(", "));
        return ExitCode::from(2);
    };
    match serve(&mut Runtime::new(principal)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(runtime: &mut Runtime) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        serde_json::to_writer(&mut out, &runtime.answer(&line))?;
        writeln!(out)?;
    }
    Ok(())
}
