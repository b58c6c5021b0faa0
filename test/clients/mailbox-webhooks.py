"""Verifies X-EE-Wh-Signature: the body is read from stdin, the secret and the signature are arguments."""
import base64
import hashlib
import hmac
import sys

secret, signature = sys.argv[1:]
digest = hmac.new(secret.encode(), sys.stdin.buffer.read(), hashlib.sha256).digest()
expected = base64.urlsafe_b64encode(digest).rstrip(b'=').decode()
print('valid' if hmac.compare_digest(expected, signature) else 'invalid')
