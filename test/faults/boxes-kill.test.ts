/** kill -9 of the server in the middle of 64 writers, again and again on the same data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'
import { createRandom } from '../support/random.ts'
import { assertKept, openLedger, startLoad } from './boxes-load.ts'

const KILLS = EFFORT > 1 ? 20 : 2
/** Acknowledged at the kill: at least 200, and a random number of these. */
const MORE = EFFORT > 1 ? 1500 : 600
const WRITERS = 64
const BOX = 'killed'

async function kill({ ready, child }: Launched): Promise<void> {
  process.kill(ready.pid, 'SIGKILL')
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('close', resolve))
  }
}

describe('a killed server', { timeout: 600_000 }, () => {
  for (const engine of ENGINES) {
    test(`on ${engine}: ${KILLS} kills lose nothing acknowledged and leave no halves`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const flags = ['boxes', '--no-console', '--quiet', '--data', folder.path]
      if (database !== undefined) flags.push('--database', database.url)
      const random = createRandom(7)
      const ledger = openLedger()
      for (let round = 0; round < KILLS; round++) {
        const nonet = await launchNonet(flags)
        const url = nonet.ready.services.boxes ?? ''
        const load = startLoad(() => url, BOX, WRITERS, ledger)
        const enough = ledger.acknowledged.size + 200 + random.below(MORE)
        while (ledger.acknowledged.size < enough) await wait(random.below(20))
        await kill(nonet)
        await load.stop()
      }
      await using nonet = await launchNonet(flags)
      const stored = await assertKept(nonet.ready.services.boxes ?? '', BOX, ledger)
      const { acknowledged, sent } = ledger
      t.diagnostic(`${sent.size} sent, ${acknowledged.size} acknowledged, ${stored} stored`)
      assert.deepEqual([...ledger.refused], [])
    })
  }
})
