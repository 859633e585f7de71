import { type Bench, bundledSizes, opsPerSecond, type Row, rowsOf } from '@partner-payments/bench'
import { official } from '../test/vectors.ts'
import { malformed } from './malformed.ts'
import { FIELDS, type Subject, subjects } from './peers.ts'

export const bench: Bench = {
  title: 'BR Code codec',
  run: async () => [
    ...(await timed('decode a static code', ({ decode }) => decode(official.static))),
    ...(await timed('decode a dynamic code', ({ decode }) => decode(official.immediate))),
    ...(await timed('encode a static code', ({ encode }) => encode(FIELDS))),
    ...wronglyAccepted(),
    ...(await sizes()),
  ],
}

/** Two comparisons: with peers that validate values, and with peers that only parse the structure. */
async function timed(figure: string, work: (subject: Subject) => unknown): Promise<Row[]> {
  const works = subjects.map((subject) => [subject.name, () => work(subject)] as const)
  const speeds = await opsPerSecond(Object.fromEntries(works))
  const rows = (figure: string, isShown: (subject: Subject) => boolean | undefined) => {
    const shown = subjects.filter(isShown).map(({ name }) => [name, speeds[name] ?? Number.NaN])
    return rowsOf({ figure, unit: 'ops/s', better: 'higher' }, Object.fromEntries(shown), isOurs)
  }
  return [
    ...rows(figure, ({ checksPix }) => checksPix),
    ...rows(`${figure}, beside structure only`, ({ ours, checksPix }) => ours || !checksPix),
  ]
}

function isOurs(subject: string): boolean {
  return subjects.some(({ name, ours }) => name === subject && ours)
}

function wronglyAccepted(): Row[] {
  const counts = subjects.map(({ name, decode }) => {
    return [name, malformed.filter(([, code]) => accepts(decode, code)).length]
  })
  const figure = `wrongly accepted of ${malformed.length} malformed codes`
  return rowsOf({ figure, unit: 'codes', better: 'lower' }, Object.fromEntries(counts), isOurs)
}

/** Decoder and encoder of each peer, as an application imports them. */
async function sizes(): Promise<Row[]> {
  const sources = Object.fromEntries(subjects.map(({ name, source }) => [name, source]))
  const what = { figure: 'decode and encode, minified and gzipped', unit: 'B', better: 'lower' } as const
  return rowsOf(what, await bundledSizes(sources, import.meta.dirname), isOurs)
}

function accepts(decode: Subject['decode'], code: string): boolean {
  try {
    return Boolean(decode(code))
  } catch {
    return false
  }
}
