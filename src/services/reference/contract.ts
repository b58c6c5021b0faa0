import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import { preflightPolicy } from '../../kernel/cors.ts'
import type { ErrorResponse } from '../../kernel/errors.ts'

export const TYPES = ['people', 'planets', 'films', 'species', 'vehicles', 'starships'] as const
export type TypeName = (typeof TYPES)[number]

export const PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 500
export const MAX_IDS = 100
export const MAX_EXPAND_DEPTH = 2
export const MAX_EMBEDDED_RECORDS = 2000
export const MAX_INDENT = 8

export type Field = { readonly name: string; readonly about: string } & (
  | {
      readonly kind: 'text'
      readonly max: number
      /** The string is a number or one of the special words. */
      readonly numeric?: boolean
      /** Appended to the number unless units are off. */
      readonly unit?: 'cm' | 'kg'
      /** Unit that is not part of the string. */
      readonly measure?: string
    }
  | { readonly kind: 'integer' | 'date' | 'time' | 'url' }
  | { readonly kind: 'link'; readonly to: TypeName; readonly nullable?: boolean }
  /** `mirrors` is the field of `to` that stores the relation; without it, this field stores it. */
  | { readonly kind: 'links'; readonly to: TypeName; readonly mirrors?: string }
)

export interface Resource {
  /** Name in SWAPI's responses to OPTIONS. */
  readonly view: string
  readonly title: string
  readonly about: string
  /** Fields that `search` searches; the first one is the record's name. */
  readonly search: readonly [string, ...string[]]
  readonly fields: readonly Field[]
}

const STAMPS: readonly Field[] = [
  { name: 'created', kind: 'time', about: 'When the record was created.' },
  { name: 'edited', kind: 'time', about: 'When the record was last edited.' },
  { name: 'url', kind: 'url', about: 'URL of this record.' }
]

function text(name: string, about: string, max = 40): Field {
  return { name, kind: 'text', about, max }
}

function number(name: string, about: string, measure?: string): Field {
  const field = { name, kind: 'text', about, max: 40, numeric: true } as const
  return measure === undefined ? field : { ...field, measure }
}

function links(name: string, to: TypeName, about: string, mirrors?: string): Field {
  const field = { name, kind: 'links', to, about } as const
  return mirrors === undefined ? field : { ...field, mirrors }
}

const CRAFT: readonly Field[] = [
  text('name', 'Common name.'),
  text('model', 'Model or official name.'),
  text('manufacturer', 'Who builds it, comma separated.', 80),
  number('cost_in_credits', 'Price when new, in credits.', 'credits'),
  number('length', 'Length in metres.', 'm'),
  number(
    'max_atmosphering_speed',
    'Top speed in the atmosphere; n/a if it cannot fly there.',
    'km/h'
  ),
  number('crew', 'People needed to run it.'),
  number('passengers', 'People it carries besides the crew.'),
  number('cargo_capacity', 'Cargo in kilograms.', 'kg'),
  text('consumables', 'How long it lasts without supplies.')
]

export const RESOURCES: Readonly<Record<TypeName, Resource>> = {
  people: {
    view: 'People',
    title: 'People',
    about: 'A person of this universe.',
    search: ['name'],
    fields: [
      text('name', 'Name.', 100),
      {
        name: 'height',
        kind: 'text',
        about: 'Height in centimetres.',
        max: 10,
        numeric: true,
        unit: 'cm'
      },
      {
        name: 'mass',
        kind: 'text',
        about: 'Mass in kilograms.',
        max: 10,
        numeric: true,
        unit: 'kg'
      },
      text('hair_color', 'Hair color; none or n/a if there is no hair.', 20),
      text('skin_color', 'Skin color.', 20),
      text('eye_color', 'Eye color.', 20),
      text('birth_year', 'Year of birth with the suffix of its era.', 10),
      text('gender', 'Gender; n/a if there is none.'),
      { name: 'homeworld', kind: 'link', to: 'planets', about: 'Planet of birth.' },
      links('films', 'films', 'Films this person appears in.', 'characters'),
      links('species', 'species', 'Species this person belongs to.', 'people'),
      links('vehicles', 'vehicles', 'Vehicles this person has piloted.', 'pilots'),
      links('starships', 'starships', 'Starships this person has piloted.', 'pilots'),
      ...STAMPS
    ]
  },
  planets: {
    view: 'Planet',
    title: 'Planets',
    about: 'A planet or moon.',
    search: ['name'],
    fields: [
      text('name', 'Name.', 100),
      number('rotation_period', 'Standard hours of one turn.', 'hours'),
      number('orbital_period', 'Standard days of one orbit.', 'days'),
      number('diameter', 'Diameter in kilometres.', 'km'),
      text('climate', 'Climates, comma separated.'),
      text('gravity', 'Gravity, where 1 standard is normal.'),
      text('terrain', 'Terrains, comma separated.'),
      number('surface_water', 'Share of the surface under water, in percent.', '%'),
      number('population', 'Average number of inhabitants.'),
      links('residents', 'people', 'People born here.', 'homeworld'),
      links('films', 'films', 'Films that show this planet.', 'planets'),
      ...STAMPS
    ]
  },
  films: {
    view: 'Film',
    title: 'Films',
    about: 'A film.',
    search: ['title'],
    fields: [
      text('title', 'Title.', 100),
      { name: 'episode_id', kind: 'integer', about: 'Number of the episode.' },
      text('opening_crawl', 'Opening text, with CRLF line breaks.', 1000),
      text('director', 'Director.', 100),
      text('producer', 'Producers, comma separated.', 100),
      { name: 'release_date', kind: 'date', about: 'Day of the first showing.' },
      links('characters', 'people', 'People in this film.'),
      links('planets', 'planets', 'Planets in this film.'),
      links('starships', 'starships', 'Starships in this film.'),
      links('vehicles', 'vehicles', 'Vehicles in this film.'),
      links('species', 'species', 'Species in this film.'),
      ...STAMPS
    ]
  },
  species: {
    view: 'Species',
    title: 'Species',
    about: 'A kind of person.',
    search: ['name'],
    fields: [
      text('name', 'Name.'),
      text('classification', 'Biological class.'),
      text('designation', 'Sentient or not.'),
      number('average_height', 'Average height in centimetres.', 'cm'),
      text('skin_colors', 'Usual skin colors, comma separated.', 200),
      text('hair_colors', 'Usual hair colors, comma separated.', 200),
      text('eye_colors', 'Usual eye colors, comma separated.', 200),
      number('average_lifespan', 'Average lifespan in years.', 'years'),
      {
        name: 'homeworld',
        kind: 'link',
        to: 'planets',
        about: 'Planet of origin, or null.',
        nullable: true
      },
      text('language', 'Usual language.'),
      links('people', 'people', 'People of this species.'),
      links('films', 'films', 'Films with this species.', 'species'),
      ...STAMPS
    ]
  },
  vehicles: {
    view: 'Vehicle',
    title: 'Vehicles',
    about: 'A craft without hyperdrive.',
    search: ['name', 'model'],
    fields: [
      ...CRAFT,
      text('vehicle_class', 'Class of the vehicle.'),
      links('pilots', 'people', 'People who have piloted it.'),
      links('films', 'films', 'Films that show it.', 'vehicles'),
      ...STAMPS
    ]
  },
  starships: {
    view: 'Starship',
    title: 'Starships',
    about: 'A craft with hyperdrive.',
    search: ['name', 'model'],
    fields: [
      ...CRAFT,
      number('hyperdrive_rating', 'Class of the hyperdrive.'),
      number('MGLT', 'Megalights per hour.'),
      text('starship_class', 'Class of the starship.'),
      links('pilots', 'people', 'People who have piloted it.'),
      links('films', 'films', 'Films that show it.', 'starships'),
      ...STAMPS
    ]
  }
}

/** SWAPI sends this message without a full stop. */
export const NotFound = createError('NOT_FOUND', 'Not found', 404)
export const MethodNotAllowed = createError<[string]>(
  'METHOD_NOT_ALLOWED',
  "Method '%s' not allowed.",
  405
)
export const NotAcceptable = createError(
  'NOT_ACCEPTABLE',
  'Could not satisfy the request Accept header',
  406
)
export const UnknownField = createError<[string, string, string]>(
  'UNKNOWN_FIELD',
  "Unknown field '%s' in %s. Known: %s.",
  400
)
export const BadPageSize = createError(
  'BAD_PAGE_SIZE',
  `page_size must be a whole number from 1 to ${MAX_PAGE_SIZE}.`,
  400
)
export const BadUnits = createError('BAD_UNITS', 'units must be on or off.', 400)
export const BadInclude = createError<[string]>(
  'BAD_INCLUDE',
  "Unknown name '%s' in include. Known: image.",
  400
)
export const BadSort = createError<[string]>(
  'BAD_SORT',
  "Unknown direction '%s' in sort. Known: asc, desc.",
  400
)
export const BadFilter = createError<[string, string]>('BAD_FILTER', '%s requires %s.', 400)
export const UnknownOperator = createError<[string, string]>(
  'UNKNOWN_OPERATOR',
  "Unknown filter '%s'. Known endings: %s.",
  400
)
export const ExpandTooDeep = createError<[string]>(
  'EXPAND_TOO_DEEP',
  `'%s' in expand is deeper than ${MAX_EXPAND_DEPTH} links.`,
  400
)
export const ExpandTooLarge = createError(
  'EXPAND_TOO_LARGE',
  `expand would embed more than ${MAX_EMBEDDED_RECORDS} records. Ask for fewer at once.`,
  400
)
export const TooManyIds = createError('TOO_MANY_IDS', `At most ${MAX_IDS} ids at once.`, 400)

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS'

/** Headers of every response, errors and 304 included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  allow: ALLOWED_METHODS,
  vary: 'Accept, Accept-Encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Last-Modified',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN'
})

/** An image opened directly is a document of this origin, so it must not load or run anything. */
export const IMAGE_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin'
})

/** Clients always revalidate, because a restart may serve another data set at the same URL. */
export const CACHE_CONTROL = 'no-cache'

/** Values of SWAPI's responses to OPTIONS, for clients that read them. */
export const OPTIONS_RENDERS = ['application/json', 'text/html', 'application/json'] as const
export const OPTIONS_PARSES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data'
] as const

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...COMMON_HEADERS,
  ...preflightPolicy(ALLOWED_METHODS, 86_400),
  vary: `${COMMON_HEADERS.vary}, Access-Control-Request-Headers`
})

/** Where readers of an error page may continue. */
const TYPE_LINKS = TYPES.map((type) => ({ href: `/api/${type}/`, text: RESOURCES[type].title }))

/** Codes of errors in URLs, all of which are reported as 404. */
const UNREADABLE_URLS = new Set(['ROUTE_NOT_FOUND', 'FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'])

function describeError(error: FastifyError): { status: number; detail: string } {
  if (UNREADABLE_URLS.has(error.code)) return { status: 404, detail: 'Not found' }
  const status = error.statusCode ?? 500
  return { status, detail: status < 500 ? error.message : 'A server error occurred.' }
}

export function renderError(error: FastifyError): ErrorResponse {
  const { status, detail } = describeError(error)
  return {
    status,
    // A buffer, because Fastify adds a charset to the content type of strings.
    body: Buffer.from(JSON.stringify({ detail })),
    type: 'application/json',
    headers: COMMON_HEADERS,
    explanation: { message: detail, links: TYPE_LINKS }
  }
}
