//! Which addresses are not for strangers.
//!
//! A page can link to anything, and a name can point anywhere: to this machine, to the router, to the
//! service by which a cloud hands its keys to whoever asks from within. So only what is reachable from
//! everywhere is fetched, by the registries of special-purpose addresses that IANA keeps
//! (`iana-ipv4-special-registry`, `iana-ipv6-special-registry`), and what is not assigned is not
//! reachable. The standard library's `is_global` would say the same and is not stable.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is not reachable from everywhere.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    match address.octets() {
        // This network; private use; loopback; link-local, with the metadata services of clouds.
        [0 | 10 | 127, ..] | [169, 254, ..] | [192, 168, ..] => true,
        [172, b, ..] => b & 0xf0 == 16,
        // Shared between a provider and its customers.
        [100, b, ..] => b & 0xc0 == 64,
        // Protocol assignments, but for the two anycast services; relays of 6to4, which are gone;
        // documentation.
        [192, 0, 0, d] => !matches!(d, 9 | 10),
        [192, 88, 99, _] | [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Benchmarks between networks.
        [198, b, ..] => b & 0xfe == 18,
        // Multicast, reserved, broadcast.
        [a, ..] => a >= 224,
    }
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let wrapped = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_private_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // IPv4 in IPv6: mapped, and through NAT64. It is as private as what is in it.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            wrapped(high, low)
        }
        // 6to4 carries the address of its router, Teredo those of its server and, inverted, of its
        // client.
        [0x2002, high, low, ..] => wrapped(high, low),
        [0x2001, 0, s_high, s_low, _, _, high, low] => {
            wrapped(s_high, s_low) || wrapped(!high, !low)
        }
        // Protocol assignments: of what is in them only AMT, AS112, ORCHIDv2 and drone identifiers
        // are global, and none of these serves pages.
        [0x2001, b, ..] if b < 0x200 => true,
        // Documentation.
        [0x2001, 0xdb8, ..] => true,
        [0x3fff, b, ..] if b < 0x1000 => true,
        // Only 2000::/3 is given out; loopback, local, link-local and multicast are outside.
        [a, ..] => a & 0xe000 != 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(private: bool, addresses: &str) {
        for address in addresses.split_whitespace() {
            assert_eq!(is_private(address.parse().expect(address)), private, "{address}");
        }
    }

    #[test]
    fn what_is_not_reachable_from_everywhere_is_private() {
        check(true, "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.0 100.127.255.255");
        check(true, "127.0.0.1 127.255.255.254 169.254.0.1 169.254.169.254");
        check(true, "172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255");
        check(true, "192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.88.99.1");
        check(true, "198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1");
        check(true, "224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255");
        check(true, ":: ::1 fc00::1 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 2001:db8::1");
        check(true, "100::1 64:ff9b:1::1 3fff::1 5f00::1 ::127.0.0.1 2001:2::1 4000::1");
    }

    #[test]
    fn wrapping_does_not_make_it_public() {
        check(true, "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254");
        check(true, "64:ff9b::127.0.0.1 64:ff9b::10.1.2.3 2002:7f00:1:: 2002:a00:1::1");
        // Teredo: the client 10.0.0.1 inverted; a private server.
        check(true, "2001:0:808:808:0:0:f5ff:fffe 2001:0:7f00:1:0:0:f7f7:f7f7");
    }

    #[test]
    fn the_rest_is_public() {
        check(false, "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0");
        check(false, "172.15.255.255 172.32.0.0 192.0.0.9 192.0.1.1 192.167.1.1 192.169.0.0");
        check(false, "198.17.1.1 198.20.0.0 223.255.255.255 169.253.1.1 128.0.0.1");
        check(false, "2606:4700::1111 2001:4860:4860::8888 2a00::1 2001:200::1");
        check(
            false,
            "::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:0:808:808:0:0:f7f7:f7f7",
        );
    }
}
