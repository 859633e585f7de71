import { fieldsOf } from '@partner-payments/contract'
import { parse } from 'yaml'
import { countSightings, listPlaces, onlyWord } from '../evidence.ts'
import {
  type Change,
  type Context,
  describeCounts,
  placeBelow,
  requirePlace,
  wholeWord,
} from './change.ts'

/**
 * The changes of names: of the headers and the events of deliveries, which came under another name.
 */
export function nameChanges(context: Context): Change[] {
  const places = listPlaces(context.observed, 'name')
  const headers = places.filter((at) => at.startsWith('/components/parameters/'))
  const events = places.filter((at) => at.startsWith(EVENTS)).map((at) => at.slice(EVENTS.length))
  const { events: declared } = context.behaviour
  const eventNames = new Set([...events, ...listEventsOfForm(context)])
  const declaredNames = [...eventNames].filter((name) => Object.hasOwn(fieldsOf(declared), name))
  return [
    ...headers.flatMap((at) => headerChange(context, at)),
    ...declaredNames.flatMap((name) => eventChange(context, name)),
  ]
}

const EVENTS = 'behaviour#/events/'
/** What the form of the evidence has before the name of an event. */
const EVENT_OF_FORM = 'event/'

/**
 * The events that have another name at the service, by the `form` of the evidence: it lists the words
 * that the checker learned, such as `{ name: 'event/transfer.settled', value: 'pix.paid' }`.
 */
function listEventsOfForm({ form, question }: Context): string[] {
  const ofEvents = form.filter(
    (word) => word.question === question && word.name.startsWith(EVENT_OF_FORM),
  )
  return ofEvents.map(({ name }) => name.slice(EVENT_OF_FORM.length))
}

/**
 * The only name that was seen; undefined if several were, or one that the files cannot have without
 * quotes. Of a name that is no word, the checker writes only the form, such as `a{9} a{9}`.
 */
function onlyName(counts: Readonly<Record<string, number>>): string | undefined {
  const name = onlyWord(counts)
  if (name === undefined || !PLAIN_NAME.test(name)) return undefined

  // YAML reads some words as another value, such as `null`.
  return parse(name) === name ? name : undefined
}

/** Such as `pix.paid` or `pix:paid`. A colon at its end would make it the key of a map. */
const PLAIN_NAME = /^[A-Za-z][\w.-]*(:[\w.-]+)*$/

/**
 * The change of the name of a header of deliveries to the only one that was seen. No change (an empty
 * list) if several were seen.
 *
 * @param at The pointer of the parameter that declares the header.
 */
function headerChange(context: Context, at: string): Change[] {
  const { observed, files } = context
  const counts = countSightings(observed, at, 'name')
  const name = onlyName(counts)
  if (name === undefined) return []

  return [
    {
      says: `The header is ${describeCounts(counts)}.`,
      // Each rule about deliveries found the declared header missing, since it has another name.
      explains: ({ rule }) => rule.startsWith('deliveries-'),
      apply: () => files.set(placeBelow(requirePlace(context, at), 'name'), name),
    },
  ]
}

/**
 * The change of the name of an event (`old`) to the only one that was seen, in all files. No change
 * (an empty list) if several were seen.
 */
function eventChange(context: Context, old: string): Change[] {
  const counts = countNamesOfEvent(context, old)
  const name = onlyName(counts)
  if (name === undefined) return []

  return [
    {
      says: `The event ${old} is named ${describeCounts(counts)}.`,
      renamed: { [old]: name },
      explains: ({ message }) => message.includes(old) || message.includes(name),
      apply: () => renameEverywhere(context, old, name),
    },
  ]
}

/**
 * How often each name of an event was seen, such as `{ 'pix.paid': 3 }`; empty if none was. It is the
 * names that came where the event was expected, or else the one that the `form` of the evidence lists.
 */
function countNamesOfEvent(
  { observed, form }: Context,
  event: string,
): Readonly<Record<string, number>> {
  const counts = countSightings(observed, EVENTS + event, 'name')
  if (Object.keys(counts).length > 0) return counts

  const word = form.find(({ name }) => name === EVENT_OF_FORM + event)
  const count = word && countSightings(observed, '/webhooks', 'value')[word.value]
  return word && count !== undefined ? { [word.value]: count } : {}
}

/** The files that may name an event. Facts are those of the source document. */
const FOLDERS = ['behaviour', 'paths', 'schemas', 'examples', 'workflows']

/**
 * Renames an event in all files, as key and in sentences. Its name has a dot, so it is never an
 * ordinary word.
 */
function renameEverywhere({ files }: Context, old: string, name: string): void {
  const oldWord = wholeWord(old)
  const names = [
    'openapi.yaml',
    'parameters.yaml',
    'responses.yaml',
    ...FOLDERS.flatMap((folder) => files.folder(folder)),
  ]
  for (const file of names) {
    // The deepest first, since a renamed key changes the places below it.
    for (const { place, value, isKey } of files.scalars(file).toReversed()) {
      if (typeof value !== 'string' || value.search(oldWord) === -1) continue
      if (isKey) files.rename(place, value.replaceAll(oldWord, name))
      else files.replaceWords(place, oldWord, name)
    }
  }
}
