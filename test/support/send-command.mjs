/** Has a command run by `command-socket.ts`, and ends as it ended. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

const [port, ...args] = process.argv.slice(2)
const socket = connect(Number(port), '127.0.0.1')
socket.end(JSON.stringify({ args, cwd: process.cwd(), env: process.env }))
const { code, stdout, stderr } = JSON.parse(await text(socket))
process.stderr.write(stderr)
process.stdout.write(stdout)
process.exitCode = code ?? 1
