//! Drives headless Chromium through the DevTools protocol, for pages that keep changing.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::support::temporary;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    profile: PathBuf,
    calls: u64,
    session: Value,
    pub(crate) complaints: Vec<String>,
}

impl Browser {
    pub(crate) fn open(url: &str) -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let profile = PathBuf::from(temporary(&format!("devtools-{number}")));
        // The browser reads commands from file descriptor 3 and writes to file descriptor 4.
        let script = "exec chromium --headless=new --no-sandbox --disable-gpu --remote-debugging-pipe \
                      --user-data-dir=\"$0\" about:blank 3<&0 4>&1 2>/dev/null";
        let mut process = Command::new("sh")
            .args(["-c", script])
            .arg(&profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take().ok_or("no pipe")?;
        let output = BufReader::new(process.stdout.take().ok_or("no pipe")?);
        let mut browser = Browser {
            process,
            input,
            output,
            profile,
            calls: 0,
            session: Value::Null,
            complaints: Vec::new(),
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))?["targetId"].take();
        let attached = json!({"targetId": target, "flatten": true});
        browser.session = browser.call("Target.attachToTarget", attached)?["sessionId"].take();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}))?;
        }
        browser.show(url)?;
        Ok(browser)
    }

    pub(crate) fn show(&mut self, url: &str) -> Result<()> {
        self.call("Page.navigate", json!({"url": url}))?;
        self.until("document.readyState === 'complete'")
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) -> Result<()> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    pub(crate) fn value(&mut self, script: &str) -> Result<Value> {
        let asked = json!({"expression": script, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", asked)?;
        if !answer["exceptionDetails"].is_null() {
            return Err(format!("{script}: {}", answer["exceptionDetails"]).into());
        }
        Ok(answer["result"]["value"].take())
    }

    /// The page may reload while we wait.
    pub(crate) fn until(&mut self, condition: &str) -> Result<()> {
        let looked = format!(
            "new Promise((done, fail) => {{ const end = Date.now() + 60000, look = () => {{ let is = false; \
             try {{ is = {condition}; }} catch {{}} if (is) done(true); else if (Date.now() > end) \
             fail(new Error('not within a minute')); else setTimeout(look, 50); }}; look(); }})"
        );
        for _ in 0..5 {
            match self.value(&looked) {
                Ok(_) => return Ok(()),
                // The script failed because the page was reloading.
                Err(error)
                    if error.to_string().contains("context") || error.to_string().contains("navigated") => {}
                Err(error) => return Err(error),
            }
        }
        Err(format!("{condition}: the page keeps loading").into())
    }

    fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.input.write_all(message.to_string().as_bytes())?;
        self.input.write_all(&[0])?;
        self.input.flush()?;
        loop {
            let mut bytes = Vec::new();
            self.output.read_until(0, &mut bytes)?;
            let mut said: Value =
                serde_json::from_slice(bytes.strip_suffix(&[0]).ok_or("the browser ended")?)?;
            if said["id"] == self.calls {
                let error = said["error"].take();
                return if error.is_null() {
                    Ok(said["result"].take())
                } else {
                    Err(error.to_string().into())
                };
            }
            let heard = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
            if said["method"].as_str().is_some_and(|method| heard.contains(&method)) {
                self.complaints.push(said["params"].to_string());
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Unlike closing the pipe, this command also ends Chromium's child processes.
        let _ = self.call("Browser.close", json!({}));
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
