import { type Fixture, USERS } from '../../data/fixtures.ts'
import { draw, drawBetween } from '../../data/hash-random.ts'

const FIRST_NAMES = (
  'Ada Amir Anya Bela Bruno Carla Chidi Dana Diego Edda Farid Fiona Goran Hana Hugo Ines Ivo Jana ' +
  'Jonas Kaito Karin Lena Luca Maja Malik Nadia Nils Olga Omar Paula Pedro Quinn Rania Rui Sara ' +
  'Sven Tala Tomas Uma Viktor Wanda Xenia Yara Zoe'
).split(' ')
const LAST_NAMES = (
  'Abbott Almeida Bauer Becker Castro Chen Dahl Diallo Eriksen Farkas Fischer Garcia Haddad Horvat ' +
  'Ivanov Jansen Kaplan Keller Lindgren Lopez Marin Moreau Nakamura Novak Okafor Olsen Petrov ' +
  'Quist Rossi Sato Schmidt Silva Tanaka Torres Ueda Vargas Weber Wolf Yilmaz Zimmer'
).split(' ')
const SHADES = 'pale warm deep soft dusty bright misty burnt cool dark'.split(' ')
const HUES = 'amber teal coral indigo olive plum ochre mint rose slate'.split(' ')

const FIRST_YEAR = 1999

function pick(list: readonly string[], ...what: [string, ...(string | number)[]]): string {
  return list[Math.floor(draw(...what) * list.length)] ?? ''
}

/** A record that is derived from the seed and the id alone. */
export function syntheticRecord(collection: string, seed: string, id: number): Fixture {
  if (collection === USERS) {
    const first_name = pick(FIRST_NAMES, seed, 'first', id)
    const last_name = pick(LAST_NAMES, seed, 'last', id)
    const email = `${first_name}.${last_name}${id}@reqres.in`.toLowerCase()
    return { id, email, first_name, last_name }
  }
  const hex = drawBetween(0, 0xffffff, seed, 'colour', id).toString(16).padStart(6, '0')
  return {
    id,
    name: `${pick(SHADES, seed, 'shade', id)} ${pick(HUES, seed, 'hue', id)}`,
    year: FIRST_YEAR + id,
    color: `#${hex.toUpperCase()}`,
    pantone_value: `${drawBetween(10, 19, seed, 'page', id)}-${drawBetween(1000, 9999, seed, 'chip', id)}`
  }
}
