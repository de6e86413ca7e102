"""Which network addresses a model may reach."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_METADATA = frozenset({"168.63.129.16"})
"""Public by number, yet only a cloud's own machines reach them."""
_NOT_OPEN = (ipaddress.ip_network("192.0.0.0/24"), ipaddress.ip_network("192.88.99.0/24"))
"""Special by the registry of IANA, a cloud's metadata service among them; older Pythons take them as global."""
_MAPPED = ipaddress.ip_network("::ffff:0:0/96")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_UNICAST = ipaddress.ip_network("2000::/3")
"""All that IPv6 uses of the open internet; outside lie old forms that still lead inside, like ``::127.0.0.1``."""


class Refused(Exception):
    """The host leads to an address that must not be reached; the text names it."""


async def resolve(host: str, port: int, *, private: bool) -> list[str]:
    """The addresses of ``host``, to be connected to as they are: asking a second time could give others.

    ``private`` lets every address through.

    Raises:
        Refused: one of them is private, loopback, link-local or otherwise not public.
        OSError: the name has no address.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not private:
        for address in addresses:
            if not is_public(address):
                raise Refused(f"{host} is {address}, which is not a public address")
    return addresses


def is_public(text: str) -> bool:
    """Whether an address is one of the open internet; those that wrap another are judged by the inner one too."""
    address = ipaddress.ip_address(text.partition("%")[0])
    return all(_is_open(one) for one in (address, *_inner(address)))


def _is_open(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and not any(
        address in network for network in (_UNICAST, _TRANSLATED, _MAPPED)
    ):
        return False
    special = any(address in network for network in _NOT_OPEN)
    return address.is_global and not address.is_multicast and not special and str(address) not in _METADATA


def _inner(address: Address) -> list[ipaddress.IPv4Address]:
    if isinstance(address, ipaddress.IPv4Address):
        return []
    wrapped = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _TRANSLATED:
        wrapped.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in wrapped if one is not None]
