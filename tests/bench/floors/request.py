"""The floor of every command: a Python process that makes one HTTP request with the standard library."""

import http.client
import sys

connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("GET", "/")
sys.stdout.write(connection.getresponse().read().decode())
