import { behaviour, type Invariant } from '../contract/behaviour.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import {
  listDeliverySchemas,
  listResponseSchemas,
  type ShownSchema,
} from '../contract/shown-schemas.ts'
import type { Arrival } from '../model/deliveries.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Model } from '../model.ts'
import type { Case, Cites, Report } from '../report/report.ts'
import { describeWord } from '../report/sightings.ts'
import {
  AGREES,
  type Check,
  createCheck,
  describeSumDifference,
  type Fault,
  findWordOfForm,
  NOTHING_TO_COMPARE,
  type ShownInstance,
} from './invariant-checks.ts'
import {
  ALL_BUT_REQUEST_HEADERS,
  cite,
  citeEarlier,
  DELIVERY_OPERATION,
  type EndContext,
  type Rule,
  type RuleContext,
} from './rule.ts'

/** An entry of `invariants` in spec/behaviour, with its name, such as `final-amount`, and its check. */
interface NamedInvariant {
  readonly name: string
  readonly declared: Invariant
  readonly check: Check
}

const invariants: readonly NamedInvariant[] = Object.entries<Invariant>(behaviour.invariants).map(
  ([name, declared]) => ({ name, declared, check: createCheck(name, declared) }),
)
const imageInvariants = invariants.filter(isImageInvariant)
const fieldInvariants = invariants.filter((one) => !isImageInvariant(one))

const responsesAgree: Rule = {
  id: 'responses-agree',
  says: 'The fields of a response or of an event agree with each other, as the contract declares.',
  advice: 'Show a record by one function, and compare it with this entry of spec/behaviour.',
  settles: ['code-value-change/', 'user-relation/'],
  needs: ['responseBody', 'times'],

  read(exchange, model, report) {
    expectInvariants(fieldInvariants, { exchange, model, report })
  },

  end(model, report) {
    for (const arrival of model.deliveries.arrivals)
      expectInvariantsOfEvent(arrival, { model, report })
  },
}

const codesImages: Rule = {
  id: 'codes-images',
  says: 'The image of a QR code is a PNG that holds its payment code.',
  advice: 'Draw the image from the payment code that the response shows.',
  settles: ['static-qrcode-image/'],
  needs: ALL_BUT_REQUEST_HEADERS,
  read(exchange, model, report) {
    expectInvariants(imageInvariants, { exchange, model, report })
  },
}

/** Whether an invariant reads an image, which takes long and so has a rule of its own. */
function isImageInvariant({ declared }: NamedInvariant): boolean {
  return declared.named?.check === 'code-image'
}

/**
 * Expects that declared relations between fields (invariants), such as a total and its parts, hold in an event
 * that arrived. Fields that have not the shape of the contract are left to another rule.
 */
function expectInvariantsOfEvent(arrival: Arrival, { model, report }: EndContext): void {
  const { delivery, event, body } = arrival
  const isMisshaped = createPlaceFilter(findMisshapedPlaces(arrival, model))
  const evidence = { evidence: delivery, operation: DELIVERY_OPERATION }
  for (const schema of listDeliverySchemas(model.contract, event, body)) {
    const instance = { schema, exchange: undefined, model }
    expectInvariantsOfSchema(fieldInvariants, instance, { isMisshaped, report, evidence })
  }
}

/**
 * Expects that invariants, which are declared relations between fields, hold in everything that an
 * accepted response shows. Fields of the wrong shape are left to another rule.
 */
function expectInvariants(
  declared: readonly NamedInvariant[],
  { exchange, model, report }: RuleContext,
): void {
  if (exchange.outcome !== 'accepted') return

  // Where the checker could translate a word of the service into one of the contract, the shape is right.
  const pointers = exchange.differences.map(({ pointer }) => pointer)
  const misshapedPlaces = pointers.filter((pointer) => !isTranslatedWord(pointer, exchange))
  const isMisshaped = createPlaceFilter(misshapedPlaces)
  const evidence = { evidence: exchange }
  for (const schema of listShownSchemas(exchange)) {
    const instance = { schema, exchange, model }
    expectInvariantsOfSchema(declared, instance, { isMisshaped, report, evidence })
  }
}

/** Both rules read the schemas of a response. */
const schemasByExchange = new WeakMap<Exchange, readonly ShownSchema[]>()

/** Lists the objects of a response that named schemas describe; none if no operation has the response. */
function listShownSchemas(exchange: Exchange): readonly ShownSchema[] {
  const listed = schemasByExchange.get(exchange)
  if (listed) return listed

  const { operation, status, responseBody } = exchange
  const schemas = operation ? listResponseSchemas(operation, status, responseBody) : []
  schemasByExchange.set(exchange, schemas)
  return schemas
}

/**
 * Whether the service wrote a word of its own at a place (`untranslatedBody`) which the checker could translate
 * into the word of the contract (`responseBody`).
 */
function isTranslatedWord(pointer: string, { responseBody, untranslatedBody }: Exchange): boolean {
  const word = stringAt(responseBody, pointer)
  return word !== undefined && word !== stringAt(untranslatedBody, pointer)
}

/** Lists the pointers at which a delivery differs from the schema of its event. */
function findMisshapedPlaces(
  { delivery: { headers }, body, event }: Arrival,
  model: Model,
): string[] {
  const differences = model.contract.listDeliveryDifferences({ name: event, headers, body })
  return differences.map(({ pointer }) => pointer)
}

/** Creates a predicate that says whether a pointer is one of these, or within one: `/amount/original` in `/amount`. */
function createPlaceFilter(pointers: readonly string[]) {
  const places = new Set(pointers)
  if (places.size === 0) return () => false

  return (place: string) => {
    // The place itself, then what is around it: `/amount/original`, `/amount`, and the empty pointer.
    let around = place
    while (around !== '' && !places.has(around)) around = around.slice(0, around.lastIndexOf('/'))
    return places.has(around)
  }
}

/** How the cases of one shown value are judged and reported. */
interface InstanceContext {
  /** Whether a place has not the shape of the contract, which another rule reports. */
  readonly isMisshaped: (place: string) => boolean
  readonly report: Report
  readonly evidence: Omit<Case, 'cites'>
}

/**
 * Expects that the invariants of a schema, which are relations between fields, hold in a shown value with this schema.
 * An invariant is left out if one of its fields is missing, or has not the shape of the contract.
 */
function expectInvariantsOfSchema(
  candidates: readonly NamedInvariant[],
  instance: ShownInstance,
  { isMisshaped, report, evidence }: InstanceContext,
): void {
  const { schema, exchange } = instance
  const where = `${exchange?.operation?.id ?? 'An event'}${schema.at}`

  for (const { name, declared, check } of candidates) {
    if (!declared.of.includes(schema.name)) continue
    noteWord(name, declared, { schema, report })

    const isAnyMisshaped = check.fields.some((field) => isMisshaped(schema.at + field))
    if (isAnyMisshaped) continue

    const result = check.run(instance)
    if (result === NOTHING_TO_COMPARE) continue

    const fault: Fault = typeof result === 'string' ? { says: result } : result
    report.expect(
      result === AGREES,
      {
        ...evidence,
        cites: citeFault(fault, declared, exchange),
        about: distinguishFault(fault, name, declared, schema.value),
        impact: fault.contradicts === undefined ? 'high' : 'critical',
      },
      () => `${where} shows ${fault.says} (${name}).`,
    )
  }
}

/** Cites what a fault breaks: what the same response shows, if that contradicts it, or else the declaration. */
function citeFault(
  { contradicts }: Fault,
  declared: Invariant,
  exchange: Exchange | undefined,
): Cites {
  if (contradicts === undefined || !exchange) return cite(declared)

  return citeEarlier(exchange.trace, contradicts, declared)
}

/**
 * Names what a finding is about, for its id: the invariant and the kind of the difference, as in `final-amount rounding`
 * or `key-kind CPF`. A user may accept one such finding, and must still see the others.
 */
function distinguishFault(
  { about }: Fault,
  name: string,
  { sum, formOf }: Invariant,
  value: ShownSchema['value'],
): string {
  if (about !== undefined) return `${name} ${about}`

  if (sum) {
    const kindOfDifference = describeSumDifference(sum, value)
    return `${name} ${kindOfDifference}`
  }

  if (formOf) {
    const expectedWord = findWordOfForm(formOf, value)
    return expectedWord === undefined ? name : `${name} ${expectedWord}`
  }

  return name
}

/**
 * Notes the word that a service shows for a form, such as `TELEPHONE` where the contract says `PHONE`. An
 * open question asks for these words.
 */
function noteWord(
  name: string,
  { formOf, question }: Invariant,
  { schema, report }: { readonly schema: ShownSchema; readonly report: Report },
): void {
  if (!formOf || question === undefined) return

  const shownWord = valueAt(schema.value, formOf.field)
  const declaredWord = findWordOfForm(formOf, schema.value)
  if (shownWord === undefined || declaredWord === undefined) return

  const at = `behaviour#/invariants/${name}/formOf/forms/${declaredWord}`
  report.saw({ question, at, of: 'name', seen: describeWord(shownWord) })
}

export const invariantRules = [responsesAgree, codesImages]
