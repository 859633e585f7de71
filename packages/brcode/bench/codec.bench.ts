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

async function timed(figure: string, work: (subject: Subject) => unknown): Promise<Row[]> {
  const speeds = await opsPerSecond(bySubject((subject) => () => work(subject)))
  return rowsOf(figure, 'ops/s', speeds)
}

function wronglyAccepted(): Row[] {
  const counts = bySubject(
    ({ decode }) => malformed.filter(({ code }) => accepts(decode, code)).length,
  )
  return rowsOf(`wrongly accepted of ${malformed.length} malformed codes`, 'codes', counts)
}

/** Decoder and encoder of each peer, as an application imports them. */
async function sizes(): Promise<Row[]> {
  const values = await bundledSizes(
    bySubject(({ source }) => source),
    import.meta.dirname,
  )
  return rowsOf('decode and encode, minified and gzipped', 'B', values)
}

function bySubject<T>(measure: (subject: Subject) => T): Record<string, T> {
  return Object.fromEntries(subjects.map((subject) => [subject.name, measure(subject)]))
}

function accepts(decode: Subject['decode'], code: string): boolean {
  try {
    return Boolean(decode(code))
  } catch {
    return false
  }
}
