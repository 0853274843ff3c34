"""A model for Fissure behind an address: start it, and give fissure the address that it prints with --model."""
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

def answer(question):
    words = question["fields"]["text"].lower().split()
    good = (1 + words.count("good")) / (2 + words.count("good") + words.count("bad"))
    return {"scores": {"neg": 1 - good, "pos": good}}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply({"labels": ["neg", "pos"]})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.reply({"answers": [answer(question) for question in asked["questions"]]})

    def reply(self, value):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
