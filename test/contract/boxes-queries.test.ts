import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Boxes, type Stored, scenes } from './boxes-scene.ts'

const HEROES = [
  '{"n":1,"name":"Arya","age":18,"tags":["a","b"],"home":{"town":"Winterfell"}}',
  '{"n":2,"name":"Hello, Jsonbox","age":25,"at":"10:30","alive":true}',
  '{"n":3,"name":"ARYA","age":"25","alive":false,"a.b":"dotted"}',
  '{"n":4,"name":"po[poiioip","age":9007199254740993,"list":[{"k":1},{"k":2}]}',
  '{"n":5,"name":null,"age":-1.5e3,"po[poiioip":"x","star":"a*"}',
  '{"n":6,"age":25,"age":30,"home":{"town":"Braavos"},"when":"2020-05-01"}'
]

/** Each asks for records by their `n`. */
const QUESTIONS: readonly [question: string, found: readonly number[]][] = [
  ['q=name:arya', [1, 3]],
  ['q=name:*JSON*', [2]],
  ['q=name:hello*', [2]],
  ['q=name:*jsonbox', [2]],
  ['q=name:*', [1, 2, 3, 4]],
  ['q=name:Hello, Jsonbox', [2]],
  ['q=at:10:30', [2]],
  ['q=a\\.b:dotted', [3]],
  ['q=star:*\\*', [5]],
  ['q=name:[', []],
  ['q=name:.*', []],
  ['q=po[poiioip:x', [5]],
  ['q=alive:true', [2]],
  ['q=alive:false', [3]],
  ['q=age:25', [3]],
  ['q=age:=25', [2]],
  ['q=age:>10,age:<20', [1]],
  ['q=age:>10&q=age:<20', [1]],
  ['q=age:<0', [5]],
  ['q=age:>=9007199254740992', [4]],
  ['q=age:=30', [6]],
  ['q=tags:b', [1]],
  ['q=home.town:win*', [1]],
  ['q=list.k:=2', [4]],
  ['q=when:>=2020-01,when:<2021-01', [6]],
  ['q=_collection:heroes,n:<3', [1, 2]],
  ['q=_createdOn:>=2020,n:=4', [4]],
  ['q=_createdOn:<2020', []],
  ['where={"age":25}', [2]],
  ['where={"age":"25"}', [3]],
  ['where={"name":null}', [5]],
  ['where={"name":{"$exists":false}}', [6]],
  ['where={"age":{"$gte":18,"$lt":26}}', [1, 2]],
  ['where={"$or":[{"n":1},{"home.town":"Braavos"}]}', [1, 6]],
  ['where={"$nor":[{"n":{"$lt":5}}]}', [5, 6]],
  ['where={"n":{"$in":[2,3,99]}}', [2, 3]],
  ['where={"n":{"$nin":[1,2,3,4]}}', [5, 6]],
  ['where={"tags":{"$all":["a","b"]}}', [1]],
  ['where={"tags":{"$size":2}}', [1]],
  ['where={"list":{"$elemMatch":{"k":2}}}', [4]],
  ['where={"home":{"town":"Braavos"}}', [6]],
  ['where={"age":{"$type":"string"}}', [3]],
  ['where={"name":{"$startsWith":"AR"}}', [3]],
  ['where={"name":{"$istartsWith":"ar"}}', [1, 3]],
  ['where={"/a.b":"dotted"}', [3]],
  ['where={"name":{"$ne":"Arya"},"n":{"$lte":2}}', [2]],
  ['where={"n":{"$gt":1}}&q=n:<4', [2, 3]]
]

function numbers(records: readonly Stored[]): unknown[] {
  return records.map(({ n }) => n)
}

scenes('I-2, queries', {}, (boxes) => {
  before(async () => {
    const { store } = boxes()
    for (const hero of HEROES) await store('/q/heroes', hero)
    await store('/q/others', '{"name":"arya","x":1}')
  })

  for (const [question, found] of QUESTIONS) {
    test(question, async () => {
      const asked = question.replace(/(?<==)[^&]*/g, encodeURIComponent)
      assert.deepEqual(numbers(await boxes().get(`/q/heroes?sort=n&${asked}`)), found)
    })
  }

  const ORDERS: readonly [sort: string, order: readonly number[]][] = [
    ['', [6, 5, 4, 3, 2, 1]],
    ['_createdOn', [1, 2, 3, 4, 5, 6]],
    ['-_id', [6, 5, 4, 3, 2, 1]],
    ['age', [5, 1, 2, 6, 4, 3]],
    ['-age', [3, 4, 6, 2, 1, 5]],
    ['name', [5, 6, 3, 1, 2, 4]],
    ['home.town,-n', [5, 4, 3, 2, 6, 1]],
    ['alive,n', [1, 4, 5, 6, 3, 2]],
    ['_collection,-n', [6, 5, 4, 3, 2, 1]]
  ]
  for (const [sort, order] of ORDERS) {
    test(`sort=${sort}`, async () => {
      const { get } = boxes()
      assert.deepEqual(numbers(await get(`/q/heroes?sort=${sort}`)), order)
      const paged = await Promise.all(
        order.map((_, skip) => get(`/q/heroes?sort=${sort}&limit=1&skip=${skip}`))
      )
      assert.deepEqual(numbers(paged.flat()), order, 'one by one')
      assert.deepEqual(await walk(boxes(), `/q/heroes?sort=${sort}&limit=2`), order, 'by cursor')
    })
  }

  test('equal records are in the order of insertion in both directions', async () => {
    const { get, store } = boxes()
    const all = Array.from({ length: 60 }, (_, n) => n)
    await store('/equal', JSON.stringify(all.map((n) => ({ n, third: n % 3 }))))
    const up = all.toSorted((one, other) => (one % 3) - (other % 3) || one - other)
    const down = all.toSorted((one, other) => (other % 3) - (one % 3) || one - other)
    assert.deepEqual(await walk(boxes(), '/equal?sort=third&limit=25'), up)
    assert.deepEqual(await walk(boxes(), '/equal?sort=-third&limit=25'), down)
    const skipped = numbers(await get('/equal?sort=-third&skip=18&limit=4'))
    assert.deepEqual(skipped, down.slice(18, 22))
  })

  test('a filtered list of arrays is in their order, the newest array first', async () => {
    const { get, store } = boxes()
    const LENGTH = 300
    const stored = [0, 1, 2].map((array) =>
      Array.from({ length: LENGTH }, (_, index) => ({
        n: array * LENGTH + index,
        third: index % 3
      }))
    )
    const matching = (array: (typeof stored)[number]) =>
      array.filter(({ third }) => third === 1).map(({ n }) => n)
    for (const array of stored) await store('/arrays', JSON.stringify(array))
    const newest = stored.toReversed().flatMap(matching)
    // The first list finds that many records have one time; the second one is read by it.
    for (const limit of [20, 20, 1000]) {
      const found = await get(`/arrays?q=third:=1&limit=${limit}`)
      assert.deepEqual(numbers(found), newest.slice(0, limit), String(limit))
    }
    await store('/arrays', '{"n":1000,"third":1}')
    for (const limit of [20, 20, 1000]) {
      const found = await get(`/arrays?q=third:=1&limit=${limit}`)
      assert.deepEqual(numbers(found), [1000, ...newest].slice(0, limit), String(limit))
    }
  })

  test('the box lists its collections together, and names them', async () => {
    const { get } = boxes()
    const found = await get('/q?q=name:arya')
    assert.deepEqual(
      found.map(({ _collection }) => _collection),
      ['others', 'heroes', 'heroes']
    )
    assert.deepEqual(numbers(await get('/q/others')), [undefined])
  })

  test('offset is skip, stray parameters are nothing, 0 and too much are the most', async () => {
    const { get } = boxes()
    assert.deepEqual(numbers(await get('/q/heroes?offset=4&skip=&x=1&page=7')), [2, 1])
    assert.equal((await get('/q/heroes?limit=0')).length, 6)
    assert.equal((await get('/q/heroes?limit=99999')).length, 6)
    assert.equal((await get('/q/heroes?skip=99999999999999999999')).length, 0)
  })

  test('the total is told on demand, for everything or for what matches', async () => {
    const { ask } = boxes()
    const total = async (path: string, headers = {}) =>
      (await ask(`GET ${path}`, undefined, headers)).headers.get('x-total-count')
    assert.equal(await total('/q/heroes?limit=1'), null)
    assert.equal(await total('/q/heroes?limit=1&count=true'), '6')
    assert.equal(await total('/q?limit=1&count=true&skip=3'), '7')
    assert.equal(await total('/q/heroes?limit=1&q=age:>=18', { prefer: 'count=exact' }), '4')
  })

  test('a cursor belongs to its order', async () => {
    const { ask } = boxes()
    const { headers } = await ask('GET /q/heroes?limit=2&sort=name')
    const next = new URL(nextOf(headers) ?? '')
    next.searchParams.set('sort', '-name')
    const { status, text } = await ask(`GET ${next.pathname}${next.search}`)
    assert.equal(status, 400)
    assert.equal(JSON.parse(text).code, 'invalid_cursor')
  })
})

function nextOf(headers: Headers): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
}

/** Follows `Link` to the end. */
async function walk({ ask, url }: Boxes, path: string): Promise<unknown[]> {
  const found: unknown[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { headers, text } = await ask(`GET ${next}`)
    found.push(...numbers(JSON.parse(text)))
    const link = nextOf(headers)
    assert.ok(link === undefined || link.startsWith(`${url}/`), link)
    next = link?.slice(url.length)
  }
  return found
}

/** The budget is for tests of its own; a busy machine needs longer than it here. */
scenes('I-2, long lists', { scanBudgetMs: 60_000 }, (boxes) => {
  const COUNT = 2300
  const AT_ONCE = 700
  const ALL = Array.from({ length: COUNT }, (_, n) => n)
  /** As jsonbox lists them: the newest request first, the records of a request as they were sent. */
  const NEWEST = ALL.toSorted((one, other) => {
    return Math.floor(other / AT_ONCE) - Math.floor(one / AT_ONCE) || one - other
  })

  before(async () => {
    const { store } = boxes()
    const records = ALL.map((n) => `{"n":${n},"odd":${n % 2 === 1}}`)
    for (let from = 0; from < COUNT; from += AT_ONCE) {
      await store('/long', `[${records.slice(from, from + AT_ONCE).join(',')}]`)
    }
  })

  test('records of one request are listed as they were sent, the newest request first', async () => {
    const { get } = boxes()
    assert.deepEqual(numbers(await get('/long?limit=1000')), NEWEST.slice(0, 1000))
    assert.deepEqual(numbers(await get('/long?limit=1000&sort=_createdOn')), ALL.slice(0, 1000))
    for (const skip of [1, 199, 200, 201, 899, 900, 2299]) {
      const found = numbers(await get(`/long?limit=3&skip=${skip}`))
      assert.deepEqual(found, NEWEST.slice(skip, skip + 3), `skip ${skip}`)
    }
  })

  test('a walk by cursor meets every record once, whatever arrives meanwhile', async () => {
    const { store } = boxes()
    const seen: unknown[] = []
    const { ask } = boxes()
    let path: string | undefined = '/long?limit=300'
    while (path !== undefined) {
      const { headers, text } = await ask(`GET ${path}`)
      seen.push(...numbers(JSON.parse(text)))
      path = nextOf(headers)?.slice(boxes().url.length)
      await store('/long', '{"n":"new"}')
    }
    assert.deepEqual(seen, NEWEST)
  })

  test('a rare match far back is found, in both directions', async () => {
    const { get } = boxes()
    assert.deepEqual(numbers(await get('/long?q=n:=3')), [3])
    assert.deepEqual(numbers(await get('/long?q=n:=2290&sort=_createdOn')), [2290])
    const odd = NEWEST.filter((n) => n % 2 === 1)
    const found = numbers(await get('/long?q=odd:true&skip=1100&limit=2'))
    assert.deepEqual(found, odd.slice(1100, 1102))
    assert.deepEqual(await walk(boxes(), '/long?q=odd:true&limit=400'), odd)
    assert.deepEqual(numbers(await get('/long?skip=2000&limit=1&sort=_createdOn')), [2000])
    assert.deepEqual(numbers(await get('/long?sort=n&skip=2200&limit=1')), [2200])
  })

  test('delete by query takes what matches and nothing else, through every slice', async () => {
    const { ask, get } = boxes()
    const { text } = await ask('DELETE /long?q=odd:true,n:>=100')
    assert.equal(text, '{"message":"1100 Records removed."}')
    assert.equal(
      (await ask('DELETE /long?q=odd:true,n:>=100')).text,
      '{"message":"0 Records removed."}'
    )
    assert.equal((await get('/long?limit=1000&q=odd:true')).length, 50)
    assert.equal((await get<{ _count: number }>('/_meta/long'))._count >= COUNT - 1100, true)
  })

  test('delete by query stays in its collection', async () => {
    const { ask, get, store } = boxes()
    for (const path of ['/fence', '/fence/a', '/fence/b']) await store(path, '{"x":1}')
    assert.equal(
      (await ask('DELETE /fence/a?where={"x":1}')).text,
      '{"message":"1 Records removed."}'
    )
    assert.deepEqual(
      (await get('/fence')).map(({ _collection }) => _collection),
      ['b', undefined]
    )
  })

  test('records of a megabyte are listed, searched and removed like others', async () => {
    const { ask, get, store } = boxes()
    const large = `{"big":"${'y'.repeat(1_000_000)}","n":1}`
    for (let n = 0; n < 12; n++) await store('/large', large)
    await store('/large', '{"n":2}')
    assert.deepEqual(numbers(await get('/large')), [2, ...Array(12).fill(1)])
    assert.equal((await get('/large?q=big:*yyy,n:=1&limit=0')).length, 12)
    assert.equal((await get('/large?sort=big&limit=2')).length, 2)
    assert.equal((await ask('DELETE /large?q=big:y*')).text, '{"message":"12 Records removed."}')
    assert.equal((await get('/large')).length, 1)
  })
})

scenes('I-2, a query that takes too long', { scanBudgetMs: 1 }, (boxes) => {
  test('is ended with 503, a hint and the time to try again', async () => {
    const { ask, store } = boxes()
    const many = `[${Array(1000).fill('{"a":[1,2,3]}').join(',')}]`
    for (let n = 0; n < 5; n++) await store('/slow', many)
    const { status, headers, text } = await ask('GET /slow?where={"a":{"$size":4}}')
    assert.equal(status, 503)
    assert.ok(Number(headers.get('retry-after')) >= 1)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(JSON.parse(text).code, 'scan_too_long')
    assert.equal((await ask('GET /slow')).status, 200)
  })
})
