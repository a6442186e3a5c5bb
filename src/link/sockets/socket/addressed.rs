//! On Windows, reports the destination addresses of datagrams and sends replies from them.

#![expect(unsafe_code, reason = "Winsock calls with structures that outlive them")]

use std::ffi::c_void;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, UdpSocket};
use std::os::windows::io::AsRawSocket;
use std::ptr::null_mut;

use windows_sys::Win32::Networking::WinSock::{
    AF_INET, AF_INET6, CMSGHDR, IP_PKTINFO, IPPROTO_IP, IPPROTO_IPV6, IPV6_PKTINFO, LPFN_WSARECVMSG,
    SIO_GET_EXTENSION_FUNCTION_POINTER, SOCKET, SOCKET_ERROR, WSABUF, WSAID_WSARECVMSG, WSAIoctl, WSAMSG,
    WSASendMsg, setsockopt,
};

/// The size of `struct sockaddr_in6`, which is larger than `struct sockaddr_in`.
const NAME: usize = 28;

/// Enough for a header and a `struct in6_pktinfo`, which is larger than `struct in_pktinfo`.
const CONTROL: usize = 64;
const DATA: usize = size_of::<CMSGHDR>().next_multiple_of(size_of::<usize>());

#[repr(C, align(8))]
struct Aligned<const SIZE: usize>([u8; SIZE]);

#[derive(Clone, Copy, Debug)]
pub(super) struct Addressed(LPFN_WSARECVMSG);

fn raw(socket: &UdpSocket) -> SOCKET {
    socket.as_raw_socket() as SOCKET
}

fn buffer(bytes: &mut [u8]) -> WSABUF {
    WSABUF { len: u32::try_from(bytes.len()).unwrap_or(u32::MAX), buf: bytes.as_mut_ptr() }
}

impl Addressed {
    /// Returns `None` if the system does not report destination addresses. The system then chooses the source
    /// address of replies.
    pub(super) fn of(socket: &UdpSocket) -> Option<Self> {
        let on = 1_u32.to_ne_bytes();
        for (level, option) in [(IPPROTO_IP, IP_PKTINFO), (IPPROTO_IPV6, IPV6_PKTINFO)] {
            // SAFETY: the value outlives the call.
            unsafe { setsockopt(raw(socket), level, option, on.as_ptr(), on.len() as i32) };
        }
        let (which, mut found, mut size): (_, LPFN_WSARECVMSG, u32) = (WSAID_WSARECVMSG, None, 0);
        // SAFETY: both buffers have the stated sizes and outlive the call.
        unsafe {
            WSAIoctl(
                raw(socket),
                SIO_GET_EXTENSION_FUNCTION_POINTER,
                (&raw const which).cast(),
                size_of_val(&which) as u32,
                (&raw mut found).cast::<c_void>(),
                size_of::<LPFN_WSARECVMSG>() as u32,
                &raw mut size,
                null_mut(),
                None,
            )
        };
        found.is_some().then_some(Addressed(found))
    }

    pub(super) fn receive(
        self,
        socket: &UdpSocket,
        bytes: &mut [u8],
    ) -> io::Result<(usize, SocketAddr, Option<IpAddr>)> {
        let call = self.0.ok_or(io::ErrorKind::Unsupported)?;
        let (mut name, mut control) = (Aligned([0; NAME]), Aligned([0; CONTROL]));
        let (mut data, mut length) = (buffer(bytes), 0);
        let mut message = message(&mut name, &mut data, buffer(&mut control.0));
        // SAFETY: all pointers in the message are valid for the duration of the call.
        let failed = unsafe { call(raw(socket), &raw mut message, &raw mut length, null_mut(), None) };
        if failed == SOCKET_ERROR {
            return Err(io::Error::last_os_error());
        }
        let sender = address(&name.0).ok_or(io::ErrorKind::InvalidData)?;
        Ok((length as usize, sender, destination(&control.0, message.Control.len as usize)))
    }
}

pub(super) fn send_from(
    socket: &UdpSocket,
    bytes: &[u8],
    to: SocketAddr,
    local: IpAddr,
) -> io::Result<usize> {
    let mut control = Aligned([0; CONTROL]);
    let (level, kind, length) = match local {
        IpAddr::V4(local) => {
            control.0[DATA..DATA + 4].copy_from_slice(&local.octets());
            (IPPROTO_IP, IP_PKTINFO, DATA + 8)
        }
        IpAddr::V6(local) => {
            control.0[DATA..DATA + 16].copy_from_slice(&local.octets());
            (IPPROTO_IPV6, IPV6_PKTINFO, DATA + 20)
        }
    };
    const WORD: usize = size_of::<usize>();
    control.0[..WORD].copy_from_slice(&length.to_ne_bytes());
    control.0[WORD..WORD + 4].copy_from_slice(&level.to_ne_bytes());
    control.0[WORD + 4..WORD + 8].copy_from_slice(&kind.to_ne_bytes());
    let mut name = name(to);
    // Winsock does not write to the data that it sends.
    let mut data = WSABUF { len: bytes.len() as u32, buf: bytes.as_ptr().cast_mut() };
    let told = buffer(&mut control.0[..length.next_multiple_of(WORD)]);
    let (message, mut sent) = (message(&mut name, &mut data, told), 0);
    // SAFETY: all pointers in the message are valid for the duration of the call.
    let failed = unsafe { WSASendMsg(raw(socket), &raw const message, 0, &raw mut sent, null_mut(), None) };
    if failed == SOCKET_ERROR { Err(io::Error::last_os_error()) } else { Ok(sent as usize) }
}

fn message(name: &mut Aligned<NAME>, data: &mut WSABUF, control: WSABUF) -> WSAMSG {
    WSAMSG {
        name: name.0.as_mut_ptr().cast(),
        namelen: NAME as i32,
        lpBuffers: data,
        dwBufferCount: 1,
        Control: control,
        dwFlags: 0,
    }
}

fn destination(control: &[u8; CONTROL], length: usize) -> Option<IpAddr> {
    const WORD: usize = size_of::<usize>();
    let number = |at: usize| i32::from_ne_bytes(*control[at..].first_chunk().unwrap_or(&[0; 4]));
    if length < DATA + 4 {
        return None;
    }
    match (number(WORD), number(WORD + 4)) {
        (IPPROTO_IP, IP_PKTINFO) => {
            control[DATA..].first_chunk().map(|it: &[u8; 4]| Ipv4Addr::from(*it).into())
        }
        (IPPROTO_IPV6, IPV6_PKTINFO) => {
            control[DATA..].first_chunk().map(|it: &[u8; 16]| Ipv6Addr::from(*it).to_canonical())
        }
        _ => None,
    }
}

fn name(address: SocketAddr) -> Aligned<NAME> {
    let mut bytes = [0; NAME];
    bytes[2..4].copy_from_slice(&address.port().to_be_bytes());
    match address {
        SocketAddr::V4(v4) => {
            bytes[..2].copy_from_slice(&AF_INET.to_ne_bytes());
            bytes[4..8].copy_from_slice(&v4.ip().octets());
        }
        SocketAddr::V6(v6) => {
            bytes[..2].copy_from_slice(&AF_INET6.to_ne_bytes());
            bytes[8..24].copy_from_slice(&v6.ip().octets());
            bytes[24..28].copy_from_slice(&v6.scope_id().to_ne_bytes());
        }
    }
    Aligned(bytes)
}

fn address(name: &[u8; NAME]) -> Option<SocketAddr> {
    let port = u16::from_be_bytes([name[2], name[3]]);
    match u16::from_ne_bytes([name[0], name[1]]) {
        AF_INET => name[4..].first_chunk().map(|it: &[u8; 4]| (Ipv4Addr::from(*it), port).into()),
        AF_INET6 => {
            let (ip, scope) = (name[8..].first_chunk::<16>()?, name[24..].first_chunk::<4>()?);
            Some(SocketAddrV6::new((*ip).into(), port, 0, u32::from_ne_bytes(*scope)).into())
        }
        _ => None,
    }
}
