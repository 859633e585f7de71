/** Cases of a file in which the validator differs from the suite, with the reason. */
export interface Unsupported {
  readonly file: string
  readonly reason: string
  /** In the form `group / test`. */
  readonly cases: readonly string[]
}

/** All unsupported cases of draft 2020-12. */
export const UNSUPPORTED: readonly Unsupported[] = [
  {
    file: 'format.json',
    reason: 'Formats are asserted: a value of another format is a finding.',
    cases: [
      'email format / invalid email string is only an annotation by default',
      'idn-email format / invalid idn-email string is only an annotation by default',
      'regex format / invalid regex string is only an annotation by default',
      'ipv4 format / invalid ipv4 string is only an annotation by default',
      'ipv6 format / invalid ipv6 string is only an annotation by default',
      'idn-hostname format / invalid idn-hostname string is only an annotation by default',
      'hostname format / invalid hostname string is only an annotation by default',
      'date format / invalid date string is only an annotation by default',
      'date-time format / invalid date-time string is only an annotation by default',
      'time format / invalid time string is only an annotation by default',
      'json-pointer format / invalid json-pointer string is only an annotation by default',
      'relative-json-pointer format / invalid relative-json-pointer string is only an annotation by default',
      'iri format / invalid iri string is only an annotation by default',
      'iri-reference format / invalid iri-reference string is only an annotation by default',
      'uri format / invalid uri string is only an annotation by default',
      'uri-reference format / invalid uri-reference string is only an annotation by default',
      'uri-template format / invalid uri-template string is only an annotation by default',
      'uuid format / invalid uuid string is only an annotation by default',
      'duration format / invalid duration string is only an annotation by default',
    ],
  },
  {
    file: 'optional/cross-draft.json',
    reason: 'All schemas are read as draft 2020-12.',
    cases: ['refs to historic drafts are processed as historic drafts / first item not a string is valid'],
  },
  {
    file: 'optional/dependencies-compatibility.json',
    reason: '"dependencies" belongs to older drafts; "dependentRequired" and "dependentSchemas" replaced it.',
    cases: [
      'single dependency / missing dependency',
      'multiple dependents required / missing dependency',
      'multiple dependents required / missing other dependency',
      'multiple dependents required / missing both dependencies',
      'dependencies with escaped characters / CRLF missing dependent',
      'dependencies with escaped characters / quoted quotes missing dependent',
      'single schema dependency / wrong type',
      'single schema dependency / wrong type other',
      'single schema dependency / wrong type both',
      'boolean subschemas / object with property having schema false is invalid',
      'boolean subschemas / object with both properties is invalid',
      'schema dependencies with escaped characters / quoted quote',
      'schema dependencies with escaped characters / quoted tab invalid under dependent schema',
      'schema dependencies with escaped characters / quoted quote invalid under dependent schema',
    ],
  },
  {
    file: 'optional/format/idn-hostname.json',
    reason: "The rules for joiners and bidirectional text are those of the platform's URL class.",
    cases: [
      'validation of internationalized host names / zero width non-joiner must pass at every occurrence',
      'validation of internationalized host names / Bidi domain name with a digit-first label is invalid',
    ],
  },
  {
    file: 'vocabulary.json',
    reason: '"$schema" is not read, so a meta-schema cannot turn keywords off.',
    cases: [
      'schema that uses custom metaschema with with no validation vocabulary / no validation: invalid number, but it still validates',
    ],
  },
]
