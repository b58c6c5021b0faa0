"""imaplib and smtplib of Python's standard library against a sandbox account."""
import email
import email.policy
import imaplib
import json
import smtplib
import ssl
import sys
from email.message import EmailMessage

imap_port, smtp_port, user, password, address = sys.argv[1:]
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
results = {}


def message(subject, body="hello"):
    mail = EmailMessage()
    mail["From"] = "python@example.test"
    mail["To"] = address
    mail["Subject"] = subject
    mail.set_content(body)
    return mail


with smtplib.SMTP("127.0.0.1", int(smtp_port)) as smtp:
    smtp.send_message(message("plain"))
with smtplib.SMTP("127.0.0.1", int(smtp_port)) as smtp:
    smtp.starttls(context=context)
    smtp.login(user, password)
    results["rejected"] = smtp.send_message(message("Grüße", "zażółć\n.\n..\n"))
    results["features"] = sorted(smtp.esmtp_features)
    unicode_mail = message("utf8")
    del unicode_mail["To"]
    unicode_mail["To"] = "jürgen@example.test"
    smtp.send_message(unicode_mail)
with smtplib.SMTP("127.0.0.1", int(smtp_port)) as smtp:
    try:
        smtp.login(user, "wrong")
    except smtplib.SMTPAuthenticationError as error:
        results["wrong SMTP password"] = error.smtp_code

with imaplib.IMAP4("127.0.0.1", int(imap_port)) as imap:
    imap.starttls(ssl_context=context)
    imap.login(user, password)
    results["mailboxes"] = sorted(line.decode().split(' "/" ')[1].strip('"') for line in imap.list()[1])
    results["selected"] = imap.select("INBOX")[1][0].decode()
    results["unseen"] = imap.search(None, "UNSEEN")[1][0].decode()
    imap.literal = "grüße".encode()
    results["found"] = imap.search("UTF-8", "SUBJECT")[1][0].decode()
    typ, data = imap.fetch("2", "(UID FLAGS BODY.PEEK[])")
    results["text"] = email.message_from_bytes(data[0][1], policy=email.policy.default).get_content()
    results["stored"] = imap.store("2", "+FLAGS", r"(\Seen \Flagged)")[0]
    results["created"] = imap.create('"My Folder"')[0]
    results["copied"] = imap.copy("1:2", '"My Folder"')[0]
    results["moved"] = imap.uid("MOVE", "2", "Archive")[0]
    results["appended"] = imap.append(
        "Drafts", r"(\Draft)", imaplib.Time2Internaldate(1705312800), message("draft").as_bytes()
    )[0]
    imap.store("1", "+FLAGS", r"(\Deleted)")
    results["expunged"] = [line.decode() for line in imap.expunge()[1] if line]
    results["status"] = imap.status('"My Folder"', "(MESSAGES UNSEEN)")[1][0].decode()
    results["sorted flags"] = imap.select('"My Folder"', readonly=True)[0]
    results["namespace"] = imap.namespace()[1][0].decode()
    imap.unselect()
    results["deleted"] = imap.delete('"My Folder"')[0]
    results["missing"] = imap.select("Missing")[0]
with imaplib.IMAP4("127.0.0.1", int(imap_port)) as imap:
    try:
        imap.login(user, "wrong")
    except imaplib.IMAP4.error as error:
        results["wrong IMAP password"] = type(error).__name__
    try:
        imap.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
        results["authenticated"] = imap.state
    except imaplib.IMAP4.error as error:
        results["authenticated"] = str(error)

print(json.dumps(results))
