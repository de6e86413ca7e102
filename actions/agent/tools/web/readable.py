"""A web page as text to read. Run as a script with an address it turns HTML on stdin into Markdown.

It is a process of its own because the libraries for it take as much memory as the rest of the agent, and because a
page that makes them run for ever can be ended.
"""

from __future__ import annotations

import asyncio
import sys

_LIMIT = 20.0


async def readable(html: str, url: str) -> str | None:
    """The main text of a page as Markdown; None when nothing came of it within 20 s."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the agent works in a folder whose modules are not ours
        __file__,
        url,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_LIMIT):
            out, _ = await process.communicate(html.encode("utf-8", "replace"))
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return out.decode("utf-8", "replace").strip() or None


def main() -> None:
    import trafilatura

    html = sys.stdin.buffer.read().decode("utf-8", "replace")
    text = trafilatura.extract(
        html, url=sys.argv[1], output_format="markdown", include_links=True, include_tables=True, favor_recall=True
    )
    sys.stdout.buffer.write((text or trafilatura.html2txt(html) or "").encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
