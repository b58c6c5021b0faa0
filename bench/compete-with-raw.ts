import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from './capture.ts'
import { type Contender, startRaw } from './contender.ts'
import { compete, type Load, type Round } from './load.ts'

/** Compares nonet with raw node:http that sends the headers and bytes of its response. */
export async function competeWithRaw(
  nonet: Contender,
  load: Load,
  rounds: number
): Promise<Map<string, Round>> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const file = join(folder, 'answers.json')
  const captured = await capture(nonet.url + load.path, load.headers)
  writeFileSync(file, JSON.stringify({ [load.path]: captured }))
  const raw = await startRaw('servers/raw.mjs', file)
  const results = await compete(
    [nonet, raw].map((contender) => ({ contender, load })),
    rounds
  )
  await raw.stop()
  rmSync(folder, { recursive: true })
  return results
}
