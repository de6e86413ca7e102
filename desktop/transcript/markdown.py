"""Markdown from agents and tools is hostile text: it is drawn, it loads nothing and it opens nothing by itself."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from desktop.theme.colors import Scheme
from desktop.theme.theme import Theme
from desktop.transcript.highlight import blocks_of, paint

_DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_REST_MS = 60
SAFE_SCHEMES = frozenset({"http", "https", "mailto"})


def settled_length(text: str) -> int:
    """Length of the part of a growing markdown text that further text cannot change: up to the last blank line that
    stands outside a code fence (CommonMark 0.31, sections 4.5 and 4.8)."""
    settled = position = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if fence:
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
        elif bare.startswith(("```", "~~~")):
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        position += len(line)
        if not bare and not fence and line.endswith("\n"):
            settled = position
    return settled


def open_target(url: QUrl) -> QUrl | None:
    """The url when a browser or mailer may open it, else None."""
    return url if url.isValid() and url.scheme() in SAFE_SCHEMES else None


class MarkdownBody(QTextBrowser):
    """Selectable markdown as high as its text. Links are reported, never followed."""

    link_asked = Signal(QUrl)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: tuple[str, Scheme, float] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setOpenLinks(False)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("QTextBrowser { background: transparent; }")
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(self.link_asked)
        # Colours come when the text has come to rest: they change no height, and a growing text is parsed all the time.
        self._pause = QTimer(self, singleShot=True, interval=_REST_MS)
        self._pause.timeout.connect(self.color_code)

    def loadResource(self, kind: int, url: QUrl | str) -> Any:
        return QImage()  # for any other answer, None too, Qt opens the file that the text names

    def show_markdown(self, text: str, width: int) -> int:
        """Draw ``text`` at ``width`` pixels and return its height. The same text again costs a layout only."""
        document = self.document()
        key = (text, self._theme.scheme, self.font().pointSizeF())
        if key != self._shown:
            self._shown = key
            document.setDefaultFont(self.font())
            document.setMarkdown(text, _DIALECT)
            self._decorate(document)
            self._pause.start()
        self.setLineWrapColumnOrWidth(width)  # also for the document; by itself the widget would use its old width
        height = int(document.size().height() + 0.999)
        self.setFixedHeight(height)
        return height

    def color_code(self) -> None:
        """Colour the code of what is shown."""
        self._pause.stop()
        for lines, language in blocks_of(self.document()):
            paint(self.document(), lines, language, self._theme.scheme)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()  # the card has the menu

    def has_selection(self) -> bool:
        return self.textCursor().hasSelection()

    def forget(self) -> None:
        """Drop selection before another row's text comes in."""
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the transcript scrolls, not the text in it

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def _decorate(self, document: QTextDocument) -> None:
        """Give code its font and ground, paragraphs air, headings a calm size, tables a hairline."""
        document.setIndentWidth(20)
        code_runs: list[tuple[int, int]] = []
        block = document.begin()
        while block.isValid():
            if _is_code(block):
                if code_runs and code_runs[-1][1] == block.blockNumber() - 1:
                    code_runs[-1] = (code_runs[-1][0], block.blockNumber())
                else:
                    code_runs.append((block.blockNumber(), block.blockNumber()))
            elif QTextCursor(block).currentTable() is None:
                QTextCursor(block).mergeBlockFormat(_paragraph(block))
            self._decorate_text(block)
            block = block.next()
        self._decorate_tables(document.rootFrame())
        for first, last in reversed(code_runs):
            self._frame_code(document, first, last)
        _close_gaps(document)

    def _frame_code(self, document: QTextDocument, first: int, last: int) -> None:
        cursor = QTextCursor(document.findBlockByNumber(first))
        end = document.findBlockByNumber(last)
        cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        shape = QTextBlockFormat()
        shape.setTopMargin(0)
        shape.setBottomMargin(0)
        cursor.mergeBlockFormat(shape)
        frame = QTextFrameFormat()
        frame.setBackground(QColor(self._theme.scheme.code))
        frame.setBorder(0)
        frame.setPadding(8)
        frame.setTopMargin(4)
        frame.setBottomMargin(4)
        cursor.insertFrame(frame)

    def _decorate_tables(self, frame: QTextFrame) -> None:
        for child in frame.childFrames():
            if isinstance(child, QTextTable):
                shape = child.format().toTableFormat()
                shape.setBorder(1)
                shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                shape.setBorderBrush(QColor(self._theme.scheme.border))
                shape.setBorderCollapse(True)
                shape.setCellPadding(6)
                shape.setTopMargin(6)
                shape.setBottomMargin(6)
                child.setFormat(shape)

    def _decorate_text(self, block: QTextBlock) -> None:
        code = self._theme.code_font
        level = block.blockFormat().headingLevel()
        is_code = _is_code(block)
        spans: list[tuple[int, int, QTextCharFormat]] = []
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            shape = QTextCharFormat()
            if is_code or fragment.charFormat().fontFixedPitch():
                shape.setFontFamilies(code.families())
                shape.setFontPointSize(code.pointSizeF())
                if not is_code:
                    shape.setBackground(QColor(self._theme.scheme.code))
                spans.append((fragment.position(), fragment.length(), shape))
            elif level:
                shape.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
                shape.setFontPointSize({1: 14.0, 2: 12.5}.get(level, 11.0))
                shape.setFontWeight(QFont.Weight.DemiBold)
                spans.append((fragment.position(), fragment.length(), shape))
            iterator += 1
        for position, length, shape in spans:
            cursor = QTextCursor(block.document())
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(shape)


def _paragraph(block: QTextBlock) -> QTextBlockFormat:
    shape = QTextBlockFormat()
    top, bottom = 4, 4
    if block.textList() is not None:
        top, bottom = 2, 2
    elif block.blockFormat().headingLevel():
        top = 10
    shape.setTopMargin(top if block.blockNumber() else 0)
    shape.setBottomMargin(bottom)
    shape.setLineHeight(120, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return shape


def _close_gaps(document: QTextDocument) -> None:
    """Frames and tables need an empty block beside them; it must not look like an empty line."""
    shape = QTextBlockFormat()
    shape.setTopMargin(0)
    shape.setBottomMargin(0)
    shape.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    block = document.begin()
    while block.isValid():
        following = block.next()
        cursor = QTextCursor(block)
        if not block.text():
            table = cursor.currentTable()
            if cursor.currentFrame() == document.rootFrame():
                cursor.mergeBlockFormat(shape)
            elif table is not None and _same_cell(table, block, following):
                cursor.deleteChar()  # Qt puts an empty line into the first cell of a table that follows a code block
                following = cursor.block().next()
        block = following


def _same_cell(table: QTextTable, block: QTextBlock, other: QTextBlock) -> bool:
    return other.isValid() and table.cellAt(block.position()) == table.cellAt(other.position())


def _is_code(block: QTextBlock) -> bool:
    shape = block.blockFormat()
    return shape.hasProperty(QTextFormat.Property.BlockCodeLanguage) or shape.hasProperty(
        QTextFormat.Property.BlockCodeFence
    )
