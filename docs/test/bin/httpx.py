"""Stands in for httpx where a machine has none: what the samples use of it, and no more."""

import base64
import json as encoder
import urllib.error
import urllib.request


class HTTPStatusError(Exception):
    pass


class Response:
    def __init__(self, status_code, text):
        self.status_code = status_code
        self.text = text

    def raise_for_status(self):
        if self.status_code >= 400:
            raise HTTPStatusError(self.status_code)


def request(method, url, *, auth=None, headers={}, json=None):
    headers = dict(headers)
    if auth:
        headers["authorization"] = "Basic " + base64.b64encode(":".join(auth).encode()).decode()
    if json is not None:
        headers["content-type"] = "application/json"
    data = None if json is None else encoder.dumps(json).encode()
    try:
        sent = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(sent) as response:
            return Response(response.status, response.read().decode())
    except urllib.error.HTTPError as error:
        return Response(error.code, error.read().decode())
