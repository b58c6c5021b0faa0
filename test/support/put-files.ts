/** Stores files until it is killed: `put-files.ts <folder>` prints the hash of each. */
import { randomBytes } from 'node:crypto'
import { createFiles } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'

const files = createFiles(openFileFolder(process.argv[2] ?? '', { durable: true }))

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 4096) yield bytes.subarray(start, start + 4096)
}

/** Its file stays incomplete. */
async function* endless(): AsyncGenerator<Uint8Array> {
  yield randomBytes(100)
  await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1))
}

async function store(): Promise<never> {
  for (let length = 1; ; length = (length * 7) % 200_003) {
    const { hash } = await files.put(one(randomBytes(length)))
    process.stdout.write(`${hash}\n`)
  }
}

void files.put(endless())
await Promise.all([store(), store(), store()])
