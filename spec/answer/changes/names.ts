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
  const events = places.filter((at) => at.startsWith('behaviour#/events/'))
  return [
    ...headers.flatMap((at) => headerChange(context, at)),
    ...events.flatMap((at) => eventChange(context, at)),
  ]
}

/**
 * The change of the name of a header to the only one that was seen. No change if several were seen.
 *
 * @param at The pointer of the parameter that declares the header.
 */
function headerChange(context: Context, at: string): Change[] {
  const { observed, files } = context
  const counts = countSightings(observed, at, 'name')
  const name = onlyWord(counts)
  if (name === undefined) return []

  return [
    {
      says: `The header is ${describeCounts(counts)}.`,
      // Under another name, its header is missing for each rule about deliveries.
      explains: ({ rule }) => rule.startsWith('deliveries-'),
      apply: () => files.set(placeBelow(requirePlace(context, at), 'name'), name),
    },
  ]
}

/**
 * The change of the name of an event to the only one that was seen, in all files. No change if
 * several were seen.
 *
 * @param at The pointer of the event, such as `behaviour#/events/transfer.settled`.
 */
function eventChange(context: Context, at: string): Change[] {
  const counts = countSightings(context.observed, at, 'name')
  const name = onlyWord(counts)
  if (name === undefined) return []

  const old = at.slice(at.lastIndexOf('/') + 1)
  return [
    {
      says: `The event ${old} is named ${describeCounts(counts)}.`,
      renamed: { [old]: name },
      explains: ({ message }) => message.includes(old) || message.includes(name),
      apply: () => renameEverywhere(context, old, name),
    },
  ]
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
