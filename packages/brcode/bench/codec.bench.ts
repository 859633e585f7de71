import { type Bench, bundledSize, opsPerSecond, type Row } from '@partner-payments/bench'
import { malformed } from './malformed.ts'
import { FIELDS, type Subject, subjects } from './peers.ts'

// Manual de Padrões para Iniciação do Pix 2.10.0, 2.6.3 and 2.7.2.
const STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
const DYNAMIC =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'

export const bench: Bench = {
  title: 'BR Code codec',
  run: async () => [
    ...(await timed('decode a static code', ({ decode }) => decode(STATIC))),
    ...(await timed('decode a dynamic code', ({ decode }) => decode(DYNAMIC))),
    ...(await timed('encode a static code', ({ encode }) => encode(FIELDS))),
    ...subjects.map(wronglyAccepted),
    ...(await sizes()),
  ],
}

/** Two comparisons: with peers that validate values, and with peers that only parse the structure. */
async function timed(figure: string, work: (subject: Subject) => unknown): Promise<Row[]> {
  const works = subjects.map((subject) => [subject.name, () => work(subject)] as const)
  const speeds = await opsPerSecond(Object.fromEntries(works))
  const rows = subjects.map((subject) => {
    const value = speeds[subject.name] ?? Number.NaN
    return { subject, row: rowOf(subject, { figure, value, unit: 'ops/s', better: 'higher' }) }
  })
  const structure = rows
    .filter(({ subject }) => subject.ours || !subject.checksPix)
    .map(({ row }) => ({ ...row, figure: `${figure}, beside structure only` }))
  return [...rows.filter(({ subject }) => subject.checksPix).map(({ row }) => row), ...structure]
}

function rowOf({ name, ours }: Subject, values: Omit<Row, 'subject' | 'ours'>): Row {
  return { subject: name, ...values, ...(ours && { ours }) }
}

function wronglyAccepted(subject: Subject): Row {
  const value = malformed.filter(([, code]) => accepts(subject.decode, code)).length
  const figure = `wrongly accepted of ${malformed.length} malformed codes`
  return rowOf(subject, { figure, value, unit: 'codes', better: 'lower' })
}

/** Decoder and encoder of each peer, as an application imports them. */
async function sizes(): Promise<Row[]> {
  const measured = subjects.map(async (subject) => {
    const value = await bundledSize(subject.source, import.meta.dirname)
    return rowOf(subject, {
      figure: 'decode and encode, minified and gzipped',
      value,
      unit: 'B',
      better: 'lower',
    })
  })
  return Promise.all(measured)
}

function accepts(decode: Subject['decode'], code: string): boolean {
  try {
    return Boolean(decode(code))
  } catch {
    return false
  }
}
