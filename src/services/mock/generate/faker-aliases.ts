/** Modules that Faker has renamed since version 6. */
const MODULES: ReadonlyMap<string, string> = new Map([
  ['name', 'person'],
  ['address', 'location'],
  ['random', 'string'],
  ['datatype', 'number'],
  ['time', 'date']
])

/** Methods that were renamed or moved to another module. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['name.findName', 'person.fullName'],
  ['name.title', 'person.jobTitle'],
  ['name.gender', 'person.gender'],
  ['address.cityName', 'location.city'],
  ['address.streetName', 'location.street'],
  ['address.stateAbbr', 'location.state'],
  ['address.zipCodeByState', 'location.zipCode'],
  ['address.countryCode', 'location.countryCode'],
  ['address.streetPrefix', 'location.street'],
  ['address.streetSuffix', 'location.street'],
  ['internet.userName', 'internet.username'],
  ['internet.avatar', 'image.avatar'],
  ['internet.color', 'color.rgb'],
  ['image.imageUrl', 'image.url'],
  ['image.image', 'image.url'],
  ['image.city', 'image.url'],
  ['image.nature', 'image.url'],
  ['image.people', 'image.url'],
  ['phone.phoneNumber', 'phone.number'],
  ['phone.phoneNumberFormat', 'phone.number'],
  ['finance.account', 'finance.accountNumber'],
  ['finance.mask', 'finance.maskedNumber'],
  ['company.companyName', 'company.name'],
  ['company.bs', 'company.buzzPhrase'],
  ['company.bsAdjective', 'company.buzzAdjective'],
  ['company.bsBuzz', 'company.buzzVerb'],
  ['company.bsNoun', 'company.buzzNoun'],
  ['company.companySuffix', 'company.name'],
  ['commerce.color', 'color.human'],
  ['fake', 'helpers.fake'],
  ['helpers.randomize', 'helpers.arrayElement'],
  ['helpers.regexpStyleStringParse', 'helpers.fromRegExp'],
  ['random.arrayElement', 'helpers.arrayElement'],
  ['random.arrayElements', 'helpers.arrayElements'],
  ['random.objectElement', 'helpers.objectValue'],
  ['random.word', 'lorem.word'],
  ['random.words', 'lorem.words'],
  ['random.uuid', 'string.uuid'],
  ['random.number', 'number.int'],
  ['random.float', 'number.float'],
  ['random.boolean', 'datatype.boolean'],
  ['random.alpha', 'string.alpha'],
  ['random.alphaNumeric', 'string.alphanumeric'],
  ['random.numeric', 'string.numeric'],
  ['random.image', 'image.url'],
  ['random.locale', 'location.countryCode'],
  ['random.hexaDecimal', 'string.hexadecimal'],
  ['datatype.number', 'number.int'],
  ['datatype.float', 'number.float'],
  ['datatype.bigInt', 'number.bigInt'],
  ['datatype.uuid', 'string.uuid'],
  ['datatype.string', 'string.sample'],
  ['datatype.hexadecimal', 'string.hexadecimal'],
  ['datatype.datetime', 'date.anytime'],
  ['datatype.boolean', 'datatype.boolean'],
  ['time.recent', 'date.recent'],
  ['git.shortSha', 'git.commitSha'],
  ['system.fileType', 'system.fileType']
])

/** The current name of a method that a document may call by an older name. */
export function currentName(name: string): string {
  const renamed = METHODS.get(name)
  if (renamed !== undefined) return renamed
  const [module = '', ...method] = name.split('.')
  return [MODULES.get(module) ?? module, ...method].join('.')
}
