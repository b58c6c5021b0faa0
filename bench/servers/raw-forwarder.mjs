// Upper limit for a forwarder: node:http in and out on kept connections, without checks.
import { Agent, request as call, createServer } from 'node:http'

const [, , port, webhook] = process.argv
const agent = new Agent({ keepAlive: true })

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.once('end', () => {
    const body = Buffer.concat(chunks)
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const outgoing = call(webhook, { method: 'POST', agent, headers }, (answer) => {
      const parts = []
      answer.on('data', (chunk) => parts.push(chunk))
      answer.once('end', () => {
        const text = Buffer.concat(parts)
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': text.length
        })
        response.end(text)
      })
    })
    outgoing.end(body)
  })
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
