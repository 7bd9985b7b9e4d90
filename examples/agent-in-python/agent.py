import json, sys, uuid

def write(message):
    print(json.dumps(message), flush=True)

session = str(uuid.uuid4())
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "user":
        write({"type": "assistant", "session_id": session, "message": {"role": "assistant", "content": [{"type": "text", "text": "hello"}]}})
        write({"type": "result", "subtype": "success", "result": "hello", "session_id": session})
