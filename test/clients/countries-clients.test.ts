/** GraphQL clients, unmodified, with nothing changed but their address. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'

const SEED_QUERY = `query Country($code: ID!) {
  country(code: $code) { name native emoji currency languages { code name } }
}`
const OLD_QUERY = 'query Country($code: String!) { country(code: $code) { name } }'
const FILTER_QUERY = `query Dollars($filter: CountryFilterInput) {
  countries(filter: $filter) { code }
}`
const FILTER = { currency: { eq: 'USD' }, continent: { in: ['SA', 'NA'] } }
const DOLLARS = ['BQ', 'EC', 'HT', 'PA', 'PR', 'SV', 'TC', 'US', 'VG', 'VI']
const BRAZIL = {
  name: 'Brazil',
  native: 'Brasil',
  emoji: '🇧🇷',
  currency: 'BRL',
  languages: [{ code: 'pt', name: 'Portuguese' }]
}

type Ask = (query: string, variables: object) => Promise<unknown>

let nonet: Nonet<'countries'>
before(async () => {
  nonet = await start({ services: ['countries'] })
})
after(() => nonet.stop())

/** Clients that keep a store of their own ask for `__typename` everywhere. */
function withoutTypes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, one) => (key === '__typename' ? undefined : one))
}

/** What every client must be able to do; `ask` gives the data or throws. */
function playClient(name: string, openAsk: () => Promise<Ask>): void {
  describe(name, () => {
    let ask: Ask
    before(async () => {
      ask = await openAsk()
    })

    test('the query of the specification', async () => {
      assert.deepEqual(withoutTypes(await ask(SEED_QUERY, { code: 'BR' })), { country: BRAZIL })
    })
    test('the same twice, and for another country', async () => {
      assert.deepEqual(withoutTypes(await ask(SEED_QUERY, { code: 'BR' })), { country: BRAZIL })
      const other = withoutTypes(await ask(SEED_QUERY, { code: 'AQ' }))
      assert.equal((other as { country: { currency: null } }).country.currency, null)
    })
    test('a document of the time when codes were strings', async () => {
      assert.deepEqual(withoutTypes(await ask(OLD_QUERY, { code: 'DE' })), {
        country: { name: 'Germany' }
      })
    })
    test('a filter', async () => {
      assert.deepEqual(withoutTypes(await ask(FILTER_QUERY, { filter: FILTER })), {
        countries: DOLLARS.map((code) => ({ code }))
      })
    })
    test('an error reaches the program with its text', async () => {
      await assert.rejects(ask('{ country(code: "BR") { zzzz } }', {}), /Cannot query field/)
    })
    test('a refused query too', async () => {
      const cyclic =
        '{ countries { continent { countries { continent { countries { name } } } } } }'
      await assert.rejects(ask(cyclic, {}), /This query requests about/)
    })
  })
}

for (const method of ['POST', 'GET'] as const) {
  playClient(`graphql-request by ${method}`, async () => {
    const { GraphQLClient } = await import('graphql-request')
    const client = new GraphQLClient(`${nonet.countries.url}/graphql`, { method })
    return (query, variables) => client.request(query, variables)
  })
}

test('graphql-request sends batches', async () => {
  const { GraphQLClient } = await import('graphql-request')
  const client = new GraphQLClient(nonet.countries.url)
  const results = await client.batchRequests([
    { document: SEED_QUERY, variables: { code: 'BR' } },
    { document: OLD_QUERY, variables: { code: 'FR' } }
  ])
  assert.deepEqual(
    results.map(({ data }) => data),
    [{ country: BRAZIL }, { country: { name: 'France' } }]
  )
})

for (const [kind, useGETForQueries] of [
  ['POST', false],
  ['GET', true]
] as const) {
  playClient(`Apollo Client by ${kind}`, async () => {
    const { ApolloClient, gql, HttpLink, InMemoryCache } = await import('@apollo/client')
    const client = new ApolloClient({
      link: new HttpLink({ uri: nonet.countries.url, useGETForQueries }),
      cache: new InMemoryCache()
    })
    return async (query, variables) => (await client.query({ query: gql(query), variables })).data
  })
}

playClient('Apollo Client with persisted queries', async () => {
  const { createHash } = await import('node:crypto')
  const { ApolloClient, gql, HttpLink, InMemoryCache } = await import('@apollo/client')
  const { PersistedQueryLink } = await import('@apollo/client/link/persisted-queries')
  const link = new PersistedQueryLink({
    sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
    useGETForHashedQueries: true
  })
  const client = new ApolloClient({
    link: link.concat(new HttpLink({ uri: nonet.countries.url })),
    cache: new InMemoryCache()
  })
  return async (query, variables) => (await client.query({ query: gql(query), variables })).data
})

playClient('urql', async () => {
  const { cacheExchange, createClient, fetchExchange } = await import('urql')
  const client = createClient({
    url: nonet.countries.url,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false
  })
  return async (query, variables) => {
    const { data, error } = await client.query(query, variables).toPromise()
    if (error) throw error
    return data
  }
})
