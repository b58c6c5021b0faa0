import assert from 'node:assert/strict'

/** What was sent under load, and what was acknowledged of it. */
export interface Ledger {
  /** Records acknowledged, with the last text that was acknowledged for each. */
  readonly acknowledged: Map<string, string>
  /** Texts that may stand in the store, acknowledged or not; one entry for each request. */
  readonly sent: Set<string>
  /** Texts of each request with several records. */
  readonly groups: string[][]
  /** Statuses other than 200, with how often they came. */
  readonly refused: Map<number, number>
  /** Refusals as they came, one of each status. */
  readonly samples: Map<number, Response>
}

export function openLedger(): Ledger {
  return {
    acknowledged: new Map(),
    sent: new Set(),
    groups: [],
    refused: new Map(),
    samples: new Map()
  }
}

let serial = 0

/** Numbers that only text keeps, and some weight; no two texts are alike. */
function makeText(ledger: Ledger, writer: number): string {
  const text = `{"writer":${writer}.0,"n":${serial++}, "pad":"${'é'.repeat(writer * 8)}","exact":1E5}`
  ledger.sent.add(text)
  return text
}

export interface Load {
  /** Lets the writers finish what they are at. */
  stop: () => Promise<void>
}

/** Each writer creates one, creates three, replaces its last one, and begins again. */
export function startLoad(url: () => string, box: string, writers: number, ledger: Ledger): Load {
  let writing = true
  const lanes = Array.from({ length: writers }, (_, writer) => lane(writer))

  async function lane(writer: number): Promise<void> {
    while (writing) {
      const own = await createOne(writer)
      await createThree(writer)
      if (own !== undefined) await replace(own, writer)
    }
  }

  /** A connection that breaks is no acknowledgement, nor is a refusal. */
  async function ask(method: string, path: string, body: string): Promise<string | undefined> {
    const answer = await fetch(`${url()}/${box}${path}`, { method, body }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    else if (answer.status !== 200) {
      ledger.refused.set(answer.status, (ledger.refused.get(answer.status) ?? 0) + 1)
      ledger.samples.set(answer.status, answer)
    }
    return answer?.status === 200 ? text : undefined
  }

  async function createOne(writer: number): Promise<string | undefined> {
    const sent = makeText(ledger, writer)
    const text = await ask('POST', '', sent)
    if (text === undefined) return undefined
    const { _id } = JSON.parse(text)
    ledger.acknowledged.set(_id, sent)
    return _id
  }

  async function createThree(writer: number): Promise<void> {
    const texts = [1, 2, 3].map(() => makeText(ledger, writer))
    ledger.groups.push(texts)
    const text = await ask('POST', '/many', `[${texts.join()}]`)
    if (text === undefined) return
    const stored: { _id: string }[] = JSON.parse(text)
    stored.forEach(({ _id }, index) => {
      ledger.acknowledged.set(_id, texts[index] ?? '')
    })
  }

  /** An update that got no answer may have happened or not. */
  async function replace(id: string, writer: number): Promise<void> {
    const sent = makeText(ledger, writer)
    const done = await ask('PUT', `/${id}`, sent)
    if (done === undefined) ledger.acknowledged.delete(id)
    else ledger.acknowledged.set(id, sent)
  }

  return {
    async stop() {
      writing = false
      await Promise.all(lanes)
    }
  }
}

/** Caller's bytes by id, for the whole box. */
async function readAll(url: string, box: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let next: string | undefined = `${url}/${box}?limit=1000`
  while (next !== undefined) {
    const answer: Response = await fetch(next)
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    const pattern = /\{"_id":"([0-9a-f]{24})",(.*?),"_createdOn":"[^}]*\}/g
    for (const [, id = '', inside = ''] of text.matchAll(pattern)) found.set(id, `{${inside}}`)
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}

/** Every acknowledged record is there to the byte; nothing is there in part. */
export async function assertKept(url: string, box: string, ledger: Ledger): Promise<number> {
  const found = await readAll(url, box)
  for (const [id, text] of ledger.acknowledged) assert.equal(found.get(id), text, `record ${id}`)
  const texts = new Set(found.values())
  for (const text of texts) assert.ok(ledger.sent.has(text), `nobody sent ${text}`)
  for (const group of ledger.groups) {
    const stored = group.filter((text) => texts.has(text)).length
    assert.ok(stored === 0 || stored === group.length, `${stored} of ${group.length} are stored`)
  }
  return found.size
}
