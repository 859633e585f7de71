"""Verifies and prints each delivery, with the standard library alone.

WEBHOOK_SECRETS: one or two secrets, with a space between them. PORT: 3000 by default.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secrets = [
    base64.b64decode(secret.removeprefix("whsec_"))
    for secret in os.environ.get("WEBHOOK_SECRETS", "").split()
]
# With an empty secret, everybody could sign.
if not secrets or min(map(len, secrets)) < 24:
    sys.exit("WEBHOOK_SECRETS needs whole secrets. `listen --show-secret` prints one.")


def is_genuine(headers, body):
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    expected = [base64.b64encode(hmac.digest(key, signed, hashlib.sha256)) for key in secrets]
    given = [part.removeprefix("v1,") for part in headers.get("webhook-signature", "").split()]
    return any(hmac.compare_digest(one, other.encode()) for one in expected for other in given)


LIMIT = 131_072


class Receiver(BaseHTTPRequestHandler):
    # Seconds without a byte, after which the connection is closed.
    timeout = 15

    def do_POST(self):
        body = self.read_body()
        if is_genuine(self.headers, body):
            # Store the event under its webhook-id, and work on it after the response.
            print(json.loads(body)["type"], flush=True)
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()

    def read_body(self):
        """The body, or nothing where it is larger than 128 KB."""
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            return self.read_chunks()
        length = int(self.headers.get("content-length", 0))
        return self.rfile.read(length) if 0 <= length <= LIMIT else b""

    def read_chunks(self):
        body = b""
        # A chunk is its length in hexadecimal digits, a line end, its bytes and a line end. The last
        # one is empty (RFC 9112, section 7.1).
        while length := int(self.rfile.readline(LIMIT).partition(b";")[0], 16):
            if not 0 <= length <= LIMIT - len(body):
                return b""
            body += self.rfile.read(length)
            self.rfile.readline(LIMIT)
        return body

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    # Connections that may wait. By default 5: of 20 deliveries at once, most took over a second.
    request_queue_size = 128


Server(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
