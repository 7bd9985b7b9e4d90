"""An agent in Python without a library. Its model is an echo: it answers each prompt with the text of the prompt."""
import json
import os
import re
import signal
import sys
import uuid

VERSION = "1.0.0 (agent-in-python)"
SWITCHES = "--verbose --print -p --replay-user-messages --include-hook-events --no-session-persistence --strict-mcp-config".split()
WITH_VALUE = """--output-format --input-format --permission-prompt-tool --session-id --model --append-system-prompt
--system-prompt --allowedTools --allowed-tools --disallowedTools --disallowed-tools --setting-sources --add-dir --thinking
--max-thinking-tokens --effort --thinking-display --fallback-model --betas""".split()


def refuse(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(1)


def read_flags(words):
    flags = {}
    while words:
        word = words.pop(0)
        name, _, value = word.partition("=")
        if name in SWITCHES:
            flags[name] = True
        elif not word.startswith("-") and "prompt" not in flags:
            flags["prompt"] = word
        elif name in WITH_VALUE:
            flags[name] = value or (words.pop(0) if words else refuse(f"{name} needs a value"))
        else:
            refuse(f"unknown option '{name}'")
    return flags


if sys.argv[1:] in (["-v"], ["--version"]):
    print(VERSION)
    sys.exit(0)
if sys.argv[1:] in (["-h"], ["--help"]):
    print("Usage: agent.py [options]\n\n" + "\n".join(SWITCHES + [f"{name} <value>" for name in WITH_VALUE]))
    sys.exit(0)
flags = read_flags(sys.argv[1:])
session = flags.get("--session-id", str(uuid.uuid4()))
model = flags.get("--model", "echo")
if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", session, re.IGNORECASE):
    refuse("a session id is a UUID")
if flags.get("--output-format") != "stream-json" or not flags.get("--verbose"):
    refuse("only --output-format stream-json with --verbose")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
seen = set()


def write(message):
    # json.dumps writes U+2028 and other characters as escapes, so that no reader takes them for the end of a line.
    try:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:  # Nobody reads the output. The input may still have something for us.
        sys.stdout = open(os.devnull, "w")


def say(message):
    write({**message, "uuid": str(uuid.uuid4()), "session_id": session})


def answer(message, response=None, error=None, code=None):
    body = {"subtype": "error", "error": error} if error else {"subtype": "success", "response": response or {}}
    if code:
        body["error_code"] = code
    if "request_id" in message:
        body["request_id"] = message["request_id"]
    write({"type": "control_response", "response": body})


def serve(message):
    request = message.get("request")
    if not isinstance(request, dict):
        refuse("a control request without a request")
    subtype = request.get("subtype")
    if subtype == "initialize":
        styles = {"output_style": "default", "available_output_styles": ["default"]}
        answer(message, {"commands": [], "agents": [], "models": [], "account": {}, **styles})
    elif subtype == "end_session":
        answer(message)
    elif subtype == "interrupt":
        answer(message, {"still_queued": []})
    else:
        answer(message, error=f"Unsupported control request subtype: {subtype}", code="unsupported_request")


def turn(message):
    content = message["message"]["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = "\n".join(block["text"] for block in blocks if block.get("type") == "text") or "no text"
    usage = {"input_tokens": 1, "output_tokens": 1}
    times = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "total_cost_usd": 0}
    reply = {"id": str(uuid.uuid4()), "type": "message", "role": "assistant", "model": model, "stop_reason": None, "stop_sequence": None}
    lists = {name: [] for name in ["tools", "mcp_servers", "slash_commands", "skills", "plugins"]}
    names = {"cwd": os.getcwd(), "model": model, "permissionMode": "default", "apiKeySource": "none", "output_style": "default"}
    say({"type": "system", "subtype": "init", "claude_code_version": "1.0.0", **names, **lists})
    if message.get("shouldQuery") is False:
        times, text = {**times, "num_turns": 0}, ""
    else:
        say({"type": "assistant", "parent_tool_use_id": None, "message": {**reply, "content": [{"type": "text", "text": text}], "usage": usage}})
    rest = {"stop_reason": "end_turn", "usage": usage, "modelUsage": {}, "permission_denials": []}
    if message.get("uuid"):
        rest["user_message_uuids"] = [message["uuid"]]
    say({"type": "result", "subtype": "success", "is_error": False, "result": text, **times, **rest})


if "prompt" in flags:
    turn({"message": {"role": "user", "content": flags["prompt"]}})
    sys.exit(0)
for line in sys.stdin.buffer:
    if not line.strip():
        continue
    try:
        message = json.loads(line.decode("utf-8-sig", "replace"), parse_constant=lambda _: refuse("NaN is not JSON"))
    except ValueError:
        refuse("a line of the input is not JSON")
    if message is None:
        refuse("a line of the input is null")
    if not isinstance(message, dict):
        continue
    if "requestId" in message:
        message["request_id"] = message.pop("requestId")
    if message.get("type") == "control_request":
        serve(message)
    elif message.get("type") == "user":
        if message["message"].get("role") != "user":
            refuse("a prompt whose role is not user")
        if flags.get("--replay-user-messages"):
            write({"uuid": str(uuid.uuid4()), **message, "session_id": session, "parent_tool_use_id": None, "isReplay": True})
        if message.get("uuid") not in seen:
            turn(message)
        if "uuid" in message:
            seen.add(message["uuid"])
