//! How much processor time a thread has used.

/// CPU seconds used by the thread with this name in this process; `None` where the system does not report
/// them.
#[cfg(target_os = "linux")]
pub(super) fn thread_seconds(name: &str) -> Option<f64> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let is_named = |path: &std::path::Path| {
        std::fs::read_to_string(path.join("comm")).is_ok_and(|comm| comm.trim() == name)
    };
    let thread = threads.flatten().map(|entry| entry.path()).find(|path| is_named(path))?;
    // The first number is the running time in nanoseconds.
    let used = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    let nanoseconds: f64 = used.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn thread_seconds(_name: &str) -> Option<f64> {
    None
}
