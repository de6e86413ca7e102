"""Which addresses a model may reach."""

from __future__ import annotations

import pytest

from actions.agent.tools.web.addresses import Refused, is_public, resolve
from actions.agent.tools.web.door import CannotFetch, host_of


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_the_open_internet(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1",
        "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
    ],
)  # fmt: skip
def test_all_others(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "host", ["localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "::1", "::ffff:127.0.0.1"]
)
async def test_every_way_to_write_this_machine_is_seen_through(host: str) -> None:
    with pytest.raises((Refused, OSError)):
        await resolve(host, 80, private=False)
    assert await resolve("127.0.0.1", 80, private=True) == ["127.0.0.1"]


@pytest.mark.parametrize(
    "url",
    [
        "", "example.com", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "http://",
        "http:///path", "http://user:secret@example.com/", "http://user@example.com/", "http://example.com:0/",
        "http://example.com:99999/", "http://[::1/", "gopher://x/",
    ],
)  # fmt: skip
def test_what_is_no_web_address(url: str) -> None:
    with pytest.raises(CannotFetch) as caught:
        host_of(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.COM/a?b#c", "example.com"),
        ("http://[2606:4700::1111]:8080/", "2606:4700::1111"),
        ("http://example.com./", "example.com"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
    ],
)
def test_the_host_that_a_rule_is_about(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    "address",
    ["192.0.0.192", "192.88.99.1", "::127.0.0.1", "fec0::1", "64:ff9b:1::7f00:1", "::ffff:0:127.0.0.1", "5f00::1"],
)
def test_old_and_special_forms_are_not_public(address: str) -> None:
    """Some of them are the metadata service of a cloud, or lead to this machine; the library takes them as global."""
    assert not is_public(address)
