use core::fmt::Debug;

pub(crate) fn unless_refused<S: Debug, T, E: Debug>(
    state: &mut S,
    call: impl FnOnce(&mut S) -> Result<T, E>,
) -> Result<T, E> {
    let before = format!("{state:?}");
    let outcome = call(state);
    if let Err(why) = &outcome {
        assert_eq!(format!("{state:?}"), before, "a call rejected with {why:?} changed the state");
    }
    outcome
}
