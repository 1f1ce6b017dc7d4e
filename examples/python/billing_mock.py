"""An account of the billing mock as a remote control, in the verbs of its library."""

import json
from urllib.request import Request, urlopen


class Account:
    def __init__(self, url, token):
        self.url, self.token = f"{url}/__control", token
        self.customers, self.contracts = Part(self, "/customers"), Part(self, "/contracts")
        self.faults, self.stubs = Part(self, "/faults"), Part(self, "/stubs")
        self.journal, self.clock = Part(self, "/requests"), Part(self, "/clock")

    def call(self, method, path, body):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = Request(self.url + path, json.dumps(body).encode(), headers, method=method)
        with urlopen(request, timeout=10) as response:  # a refusal is an HTTPError
            return json.load(response)

    def reset(self):
        self.call("POST", "/reset", {})


class Part:
    def __init__(self, account, path):
        self.call, self.path = account.call, path

    def add(self, **members):
        return self.call("POST", self.path, members)

    def set(self, **members):
        return self.call("PUT", self.path, members)

    def patch(self, identifier, **changes):
        return self.call("PATCH", f"{self.path}/{identifier}", changes)

    def remove(self, identifier):
        return self.call("DELETE", f"{self.path}/{identifier}", {})

    def count(self, **members):
        return self.call("POST", f"{self.path}/count", members)["count"]
