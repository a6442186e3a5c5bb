//! Messages in the protocol buffers encoding, limited to what a trace needs.

use crate::recorded::codec::put;

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn new() -> Self {
        Message::default()
    }

    /// An unsigned number or an enumeration value.
    pub(super) fn number(mut self, field: u32, value: u64) -> Self {
        self.tag(field, 0);
        put(value, &mut self.0);
        self
    }

    /// An eight-byte number.
    pub(super) fn fixed(mut self, field: u32, value: u64) -> Self {
        self.tag(field, 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn double(self, field: u32, value: f64) -> Self {
        self.fixed(field, value.to_bits())
    }

    pub(super) fn text(mut self, field: u32, value: &str) -> Self {
        self.block(field, value.as_bytes());
        self
    }

    pub(super) fn message(mut self, field: u32, value: &Message) -> Self {
        self.block(field, &value.0);
        self
    }

    /// The bytes of all fields so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn block(&mut self, field: u32, bytes: &[u8]) {
        self.tag(field, 2);
        put(bytes.len() as u64, &mut self.0);
        self.0.extend(bytes);
    }

    fn tag(&mut self, field: u32, kind: u64) {
        put(u64::from(field) << 3 | kind, &mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples from the encoding's specification.
    #[test]
    fn fields_are_encoded_as_specified() {
        assert_eq!(Message::new().number(1, 150).bytes(), [0x08, 0x96, 0x01]);
        let text = Message::new().text(2, "testing");
        assert_eq!(text.bytes(), [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
        let inner = Message::new().number(1, 150);
        assert_eq!(Message::new().message(3, &inner).bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(Message::new().fixed(1, 1).bytes(), [0x09, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(Message::new().number(60, u64::MAX).bytes().len(), 12);
    }
}
