"""Microphone -> utterance -> text -> intent -> dialogue -> execute(). Knows no window."""

import os as _os

# Before any speech library is loaded, since they read these once: what is said here stays here. ONNX Runtime sends
# usage events to its maker unless it is told not to, and the model hub is asked for files that a folder lacks.
_os.environ["ORT_DISABLE_TELEMETRY"] = "1"
_os.environ["HF_HUB_OFFLINE"] = "1"
