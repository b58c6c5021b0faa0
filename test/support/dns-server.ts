/** A DNS server of the tests over UDP, with SRV and MX records. */
import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'

const TYPES = { MX: 15, SRV: 33 } as const
const NAME_ERROR = 3

export interface DnsRecords {
  readonly [name: string]: readonly (
    | { readonly type: 'SRV'; priority: number; weight: number; port: number; target: string }
    | { readonly type: 'MX'; priority: number; target: string }
  )[]
}

export interface DnsServer extends AsyncDisposable {
  /** Names that were looked up, with their types. */
  readonly questions: readonly string[]
}

/** Look-ups of SRV and MX records in this process are sent to it until it is disposed. */
export async function openDnsServer(records: DnsRecords): Promise<DnsServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message)
    questions.push(`${name} ${type}`)
    const known = records[name]
    const found = known?.filter((record) => TYPES[record.type] === type) ?? []
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (known === undefined ? NAME_ERROR : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(found.length, 6)
    const answers = found.map((record) => {
      const data = dataOf(record)
      const head = Buffer.alloc(12)
      // The name is that of the question.
      head.writeUInt16BE(0xc00c, 0)
      head.writeUInt16BE(type, 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt16BE(data.length, 10)
      return Buffer.concat([head, data])
    })
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const before = getServers()
  useServers([`127.0.0.1:${socket.address().port}`])
  return {
    questions,
    async [Symbol.asyncDispose]() {
      useServers(before)
      socket.close()
      await once(socket, 'close')
    }
  }
}

/** Named imports of `node:dns/promises` that were made before keep the servers of then unless exports are synchronised. */
function useServers(servers: readonly string[]): void {
  setServers(servers)
  syncBuiltinESMExports()
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (message[at] !== 0) {
    const length = message[at] ?? 0
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function dataOf(record: DnsRecords[string][number]): Buffer {
  const numbers =
    record.type === 'MX' ? [record.priority] : [record.priority, record.weight, record.port]
  const bytes = Buffer.alloc(numbers.length * 2)
  for (const [index, value] of numbers.entries()) bytes.writeUInt16BE(value, index * 2)
  return Buffer.concat([bytes, encodeName(record.target)])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  const parts = labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`))
  return Buffer.concat([...parts, Buffer.alloc(1)])
}
