"""An agent in Python without a library. Its model is an echo: it answers each prompt with the text of the prompt."""
import json
import os
import re
import signal
import sys
import uuid

VERSION = "1.0.0 (agent-in-python)"
SWITCHES = "--verbose --print -p --include-partial-messages --replay-user-messages --await-initialize".split()
WITH_VALUE = "--output-format --input-format --session-id --model --permission-mode".split()
# Hosts pass these flags to every agent, so an agent accepts them. Here they have no effect, or limit what this agent never does.
IDLE_SWITCHES = """--include-hook-events --no-session-persistence --strict-mcp-config --forward-subagent-text
--allow-dangerously-skip-permissions --dangerously-skip-permissions --prompt-suggestions --system-prompt-snapshot
--exclude-dynamic-system-prompt-sections --enable-auth-status --debug-to-stderr""".split()
IDLE_VALUES = """--permission-prompt-tool --permission-prompts --fallback-model --append-system-prompt --system-prompt
--system-prompt-file --setting-sources --settings --max-turns --max-budget-usd --task-budget --thinking --thinking-display
--max-thinking-tokens --effort --agent --agents --debug-file --project-config-root --workload""".split()
IDLE_LISTS = """--allowedTools --allowed-tools --disallowedTools --disallowed-tools --tools --betas --add-dir --mcp-config
--plugin-dir --plugin-dir-no-mcp""".split()
IDLE_OPTIONAL = ["--debug", "-d"]
# These flags are refused, because a host that passes one expects its effect: a stored conversation, or an answer of a certain form.
UNSUPPORTED = """--resume -r --continue -c --fork-session --resume-session-at --resume-drops-turn --session-mirror
--json-schema --managed-settings""".split()
MODES = "default manual acceptEdits auto bypassPermissions dontAsk plan".split()


def refuse(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(1)


def read_flags(words):
    flags = {}
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if word == "--" or not word.startswith("-"):
            words = words if word == "--" else [word] + words
            if "prompt" not in flags and words:
                flags["prompt"] = words.pop(0)
        elif word in SWITCHES + IDLE_SWITCHES:
            flags[name] = True
        elif name in WITH_VALUE + IDLE_VALUES + IDLE_LISTS:
            # The next word is the value, also where it begins with a dash.
            flags[name] = value if equals else words.pop(0) if words else refuse(f"{name} needs a value")
            while name in IDLE_LISTS and not equals and words and not words[0].startswith("-"):
                words.pop(0)
        elif name in IDLE_OPTIONAL:
            if not equals and words and not words[0].startswith("-"):
                words.pop(0)
        elif name in UNSUPPORTED:
            refuse(f"{name} is not supported by this agent")
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
mode = flags.get("--permission-mode", "default")
if mode not in MODES:
    refuse(f"the permission mode is one of {', '.join(MODES)}")
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
    except BrokenPipeError:  # The output is not read any more. The input may still have messages.
        sys.stdout = open(os.devnull, "w")


def say(message):
    write({**message, "uuid": str(uuid.uuid4()), "session_id": session})


def stream(kind, **members):
    if flags.get("--include-partial-messages"):
        say({"type": "stream_event", "parent_tool_use_id": None, "event": {"type": kind, **members}})


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
    names = {"cwd": os.getcwd(), "model": model, "permissionMode": "default" if mode == "manual" else mode, "apiKeySource": "none", "output_style": "default"}
    say({"type": "system", "subtype": "init", "claude_code_version": "1.0.0", **names, **lists})
    if message.get("shouldQuery") is False:
        times, text = {**times, "num_turns": 0}, ""
    else:
        whole = {"type": "text", "text": text}
        stream("message_start", message={**reply, "content": [], "usage": usage})
        stream("content_block_start", index=0, content_block={"type": "text", "text": ""})
        stream("content_block_delta", index=0, delta={"type": "text_delta", "text": text})
        say({"type": "assistant", "parent_tool_use_id": None, "message": {**reply, "content": [whole], "usage": usage}})
        stream("content_block_stop", index=0)
        stream("message_delta", delta={"stop_reason": "end_turn", "stop_sequence": None}, usage=usage)
        stream("message_stop")
    rest = {"stop_reason": "end_turn", "usage": usage, "modelUsage": {}, "permission_denials": []}
    if message.get("uuid"):
        rest["user_message_uuids"] = [message["uuid"]]
    say({"type": "result", "subtype": "success", "is_error": False, "result": text, **times, **rest})


if "prompt" in flags:
    turn({"message": {"role": "user", "content": flags["prompt"]}})
    sys.exit(0)
waits = flags.get("--await-initialize")
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
    if waits and (message.get("request") or {}).get("subtype") != "initialize":
        refuse("with --await-initialize the first message is the request initialize")
    waits = False
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
