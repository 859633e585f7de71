/** How many times as much the tests try as for a commit: random cases, races, kills. `pnpm campaign` sets it. */
export const SCALE = Number(process.env.CAMPAIGN ?? 1)

/** Whether the tests try everything, and not the part of it that a commit has time for. */
export const IS_CAMPAIGN = SCALE > 1

/** Which part of the samples a commit runs, from 0 to 4. */
const PART = Number(process.env.SAMPLE ?? 0)
const PARTS = 5

/** A row of a table of tests: its strings are its name. */
type Row = readonly unknown[] | { readonly id: string }

/**
 * The rows of a table that a commit runs: the first of each kind, and a fifth of the others, chosen by their names. A
 * campaign runs all.
 *
 * @param kindOf What each needs one row of, such as the rule that a mutant breaks; by default the table is of one kind.
 */
export function sample<const R extends Row>(rows: readonly R[], kindOf: (row: R) => string = () => ''): R[] {
  return IS_CAMPAIGN ? [...rows] : part(rows, kindOf)
}

/** As {@link sample}, whatever runs. */
export function part<R extends Row>(rows: readonly R[], kindOf: (row: R) => string, number = PART): R[] {
  const kinds = new Set<string>()
  return rows.filter((row) => {
    const isFirst = !kinds.has(kindOf(row))
    kinds.add(kindOf(row))
    return isFirst || partOf(nameOf(row)) === number
  })
}

function nameOf(row: Row): string {
  return 'id' in row ? row.id : row.filter((it) => typeof it === 'string').join(' ')
}

/** FNV-1a: the same part on every machine, and most rows stay in theirs when others come. */
function partOf(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0) % PARTS
}
