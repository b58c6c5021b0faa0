import assert from 'node:assert/strict'
import { contract, type Row } from '../support/contract.ts'

function ask(query: string, variables?: object) {
  return {
    method: 'POST',
    path: '/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables })
  }
}

/** Countries that a filter finds, by their codes. */
function finds(proves: string, args: string, codes: string): Row {
  return {
    proves,
    send: ask(`{ countries(${args}) { code } }`),
    expect: {
      status: 200,
      check({ text }) {
        const { data, errors } = JSON.parse(text)
        assert.equal(errors, undefined, text)
        assert.equal(data.countries.map(({ code }: { code: string }) => code).join(' '), codes)
      }
    }
  }
}

function counts(proves: string, args: string, check: (count: number) => boolean): Row {
  return {
    proves,
    send: ask(`{ countries(${args}) { code } }`),
    expect: {
      status: 200,
      check: ({ text }) => assert.ok(check(JSON.parse(text).data.countries.length), text)
    }
  }
}

function refuses(proves: string, query: string, message: RegExp, variables?: object): Row {
  return {
    proves,
    send: ask(query, variables),
    expect: {
      status: 200,
      check({ text }) {
        const { errors, data } = JSON.parse(text)
        assert.match(errors[0].message, message)
        assert.equal(errors[0].extensions.code, 'BAD_USER_INPUT')
        assert.equal(data, null)
      }
    }
  }
}

const NORDIC = 'code: { in: ["DK", "FI", "IS", "NO", "SE"] }'

/** Filters without a value and how many of 250 countries they find, as measured with its library. */
const NO_VALUE: readonly [filter: string, count: number][] = [
  ['null', 0],
  ['{ code: null }', 0],
  ['{ code: {} }', 0],
  ['{ code: { eq: null } }', 0],
  ['{ code: { in: null } }', 0],
  ['{ code: { regex: null } }', 0],
  ['{ code: { ne: null } }', 250],
  ['{ code: { nin: null } }', 250],
  ['{ code: { in: [] } }', 0],
  ['{ code: { nin: [] } }', 250],
  ['{ code: { regex: "" } }', 250],
  ['{ code: { glob: null } }', 0],
  ['{ and: null }', 0],
  ['{ not: { code: {} } }', 250]
]

/** The lists of continents, countries and languages with a variable in their filters. */
function countsWith(proves: string, variables: object, [some, all]: [number[], number[]]): Row {
  const query = `query ($code: String, $filter: StringQueryOperatorInput) {
    c: continents(filter: { code: { eq: $code } }) { code }
    n: countries(filter: { code: { eq: $code } }) { code }
    l: languages(filter: { code: { eq: $code } }) { code }
    ca: continents(filter: { code: $filter }) { code }
    na: countries(filter: { code: $filter }) { code }
  }`
  return {
    proves,
    send: ask(query, variables),
    expect: {
      status: 200,
      check({ text }) {
        const { c, n, l, ca, na } = JSON.parse(text).data
        assert.deepEqual([c.length, n.length, l.length], some)
        assert.deepEqual([ca.length, na.length], all)
      }
    }
  }
}

contract('filters', { service: 'countries' }, [
  finds(
    'the dollar is found where it is one of several currencies, the United States included',
    'filter: { currency: { eq: "USD" } }',
    'AS BQ EC FM GU HT IO MH MP PA PR PW SV TC TL UM US VG VI ZW'
  ),
  finds('eq', 'filter: { code: { eq: "BR" } }', 'BR'),
  finds('in, in the order of the list', `filter: { ${NORDIC} }`, 'DK FI IS NO SE'),
  finds('all fields must hold', `filter: { ${NORDIC}, currency: { eq: "EUR" } }`, 'FI'),
  finds(
    'all operators of a field must hold',
    'filter: { code: { in: ["DK", "FI"], ne: "FI" } }',
    'DK'
  ),
  finds('nin', `filter: { ${NORDIC}, name: { nin: ["Norway", "Sweden"] } }`, 'DK FI IS'),
  finds(
    'ne of a list excludes whoever has it among others',
    'filter: { code: { in: ["US", "PA", "DE"] }, currency: { ne: "USD" } }',
    'DE'
  ),
  finds(
    'ne holds where there is nothing',
    'filter: { continent: { eq: "AN" }, currency: { ne: "NOK" } }',
    'AQ GS HM TF'
  ),
  finds('regex', 'filter: { name: { regex: "^[CK]o[^o]" } }', 'CC CO CR KM XK'),
  finds('regex on the elements of a list', 'filter: { phone: { regex: "^18" } }', 'DO JM KN TT'),
  finds(
    'glob',
    'filter: { code: { glob: "?Z" }, name: { glob: "*i*" } }',
    'AZ BZ CZ DZ MZ SZ TZ UZ'
  ),
  finds('continent', 'filter: { continent: { eq: "AN" } }', 'AQ BV GS HM TF'),
  finds('native, as it is written there', 'filter: { native: { eq: "Österreich" } }', 'AT'),
  finds('capital', 'filter: { capital: { glob: "B*a" } }', 'BR SK'),
  finds('languages', 'filter: { languages: { eq: "rm" } }', 'CH'),
  finds('or', 'filter: { or: [{ code: { eq: "BR" } }, { name: { eq: "Japan" } }] }', 'BR JP'),
  finds(
    'and',
    'filter: { and: [{ languages: { eq: "fr" } }, { languages: { eq: "de" } }] }',
    'BE CH LU'
  ),
  finds('not', `filter: { ${NORDIC}, not: { continent: { eq: "EU" } } }`, ''),
  finds('no alternative fits nobody', 'filter: { or: [] }', ''),
  ...NO_VALUE.map(([filter, count]) =>
    counts(
      `${filter} finds what countries.trevorblades.com finds`,
      `filter: ${filter}`,
      (n) => n === count
    )
  ),
  finds('null beside a condition finds nothing', 'filter: { code: { eq: "BR" }, name: null }', ''),
  finds('ne: null is no condition', 'filter: { code: { eq: "BR", ne: null } }', 'BR'),
  countsWith('a missing variable of an operator finds nothing, of a field everything', {}, [
    [0, 0, 0],
    [7, 250]
  ]),
  countsWith('a variable that is null finds nothing', { code: null, filter: null }, [
    [0, 0, 0],
    [0, 0]
  ]),
  counts('no filter is no condition', 'filter: {}', (n) => n === 250),
  {
    proves: 'filters of continents and languages',
    send: ask(
      '{ continents(filter: { code: { in: ["EU", "AF"] } }) { code } languages(filter: { code: { regex: "^p" }, name: { glob: "P*e" } }) { code } }'
    ),
    expect: {
      status: 200,
      json: {
        data: { continents: [{ code: 'AF' }, { code: 'EU' }], languages: [{ code: 'pt' }] }
      }
    }
  },
  refuses(
    'a regex that is none says so',
    '{ countries(filter: { name: { regex: "(" } }) { code } }',
    /^This regex cannot be used: error parsing regexp: missing closing \): `\(` \(RE2 syntax\)$/
  ),
  refuses(
    'look-ahead is refused',
    '{ countries(filter: { name: { regex: "a(?=b)" } }) { code } }',
    /^This regex cannot be used: .*invalid or unsupported Perl syntax/
  ),
  refuses(
    'back-references are refused',
    '{ countries(filter: { name: { regex: "(a)\\\\1" } }) { code } }',
    /^This regex cannot be used: .*invalid escape sequence/
  ),
  refuses(
    'a long regex is refused',
    'query ($p: String) { countries(filter: { name: { regex: $p } }) { code } }',
    /^A regex may have at most 200 characters, not 201$/,
    { p: 'a'.repeat(201) }
  ),
  refuses(
    'a regex that multiplies itself is refused',
    '{ countries(filter: { name: { regex: "(a{30}){30}" } }) { code } }',
    /^This regex has too many repetitions$/
  ),
  refuses(
    'a long glob is refused',
    'query ($p: String) { countries(filter: { name: { glob: $p } }) { code } }',
    /^A glob may have at most 200 characters/,
    { p: '*'.repeat(201) }
  ),
  refuses(
    'too many conditions are refused',
    'query ($f: CountryFilterInput) { countries(filter: $f) { code } }',
    /^The filters of a request may have at most 100 conditions$/,
    { f: { or: Array(60).fill({ code: { eq: 'BR' } }) } }
  ),
  refuses(
    'too many regexes are refused',
    'query ($f: CountryFilterInput) { countries(filter: $f) { code } }',
    /^The filters of a request may have at most 10 regexes$/,
    { f: { or: Array(11).fill({ code: { regex: 'BR' } }) } }
  ),
  refuses(
    'conditions count over a whole request',
    `query ($f: CountryFilterInput) { a: countries(filter: $f) { code } b: countries(filter: $f) { code } }`,
    /^The filters of a request may have at most 100 conditions$/,
    { f: { or: Array(30).fill({ code: { eq: 'BR' } }) } }
  ),
  {
    proves: 'an unknown operator is a validation error',
    send: ask('{ countries(filter: { name: { like: "x" } }) { code } }'),
    expect: { status: 200, text: /"code":"GRAPHQL_VALIDATION_FAILED"/ }
  }
])

contract('search, order and pages', { service: 'countries' }, [
  finds('accents and case do not matter', 'search: "COTE"', 'CI'),
  finds('a native name', 'search: "österreich"', 'AT'),
  finds('a former name', 'search: "swaziland"', 'SZ'),
  finds('a name as it was before it was corrected', 'search: "curacao"', 'CW'),
  finds('a translation', 'search: "Deutschland"', 'DE'),
  finds('letters that do not decompose', 'search: "føroyar"', 'FO'),
  finds('the same without them', 'search: "foroyar"', 'FO'),
  finds('with a filter', 'search: "guinea", filter: { continent: { eq: "AF" } }', 'GN GQ GW'),
  finds('nothing', 'search: "nowhere at all"', ''),
  finds('the first', 'first: 3', 'AD AE AF'),
  finds('the next', 'first: 3, after: "AF"', 'AG AI AL'),
  finds('in any case of the code', 'first: 2, after: "af"', 'AG AI'),
  finds('none', 'first: 0', ''),
  finds('the last', 'after: "ZM"', 'ZW'),
  finds('backwards', 'orderBy: CODE_DESC, first: 2', 'ZW ZM'),
  finds('by name, Åland among the A', 'orderBy: NAME_ASC, first: 3', 'AF AX AL'),
  finds('by name, backwards', 'orderBy: NAME_DESC, first: 2, after: "ZW"', 'ZM YE'),
  refuses(
    'a negative number is refused',
    '{ countries(first: -1) { code } }',
    /^first must not be negative$/
  ),
  refuses(
    'after something that is not in the list is refused',
    '{ countries(filter: { code: { eq: "BR" } }, after: "DE") { code } }',
    /^after must be the code of an item in this list$/
  ),
  refuses(
    'a long search is refused',
    'query ($s: String) { countries(search: $s) { code } }',
    /^A search may have at most 100 characters$/,
    { s: 'x'.repeat(101) }
  ),
  {
    proves: 'pages of languages',
    send: ask('{ languages(first: 2, after: "AB") { code } }'),
    expect: { status: 200, json: { data: { languages: [{ code: 'af' }, { code: 'ak' }] } } }
  }
])
