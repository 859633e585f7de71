import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))

/** The compile cost of one file and its imports. */
export interface TypeCost {
  /** Equal on every machine and in every run. */
  instantiations: number
  /** Check time without reading, parsing and binding: the minimum of three runs. */
  milliseconds: number
}

/** Throws if the file does not compile. Paths are relative to this folder. */
export function typeCost(file: string): TypeCost {
  const reports = [typeCheck(file), typeCheck(file), typeCheck(file)]
  return {
    instantiations: Math.min(...reports.map((report) => figure(report, 'Instantiations'))),
    milliseconds: Math.min(...reports.map((report) => figure(report, 'Check time'))) * 1000,
  }
}

/**
 * The compiler's report on one file. Uses the same tsconfig.json and a single thread, since several checkers would each
 * count shared files. Throws if the file does not compile.
 */
export function typeCheck(file: string): string {
  const project = join(import.meta.dirname, 'generated', `tsconfig.${file.replace('/', '.')}.json`)
  writeFileSync(project, JSON.stringify({ extends: '../tsconfig.json', include: [], files: [`../${file}`] }))
  const flags = ['--project', project, '--singleThreaded', '--extendedDiagnostics']
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...flags], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} does not compile:\n${stdout}`)
  return stdout
}

function figure(report: string, name: string): number {
  const [, value] = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(report) ?? []
  if (value === undefined) throw new Error(`the compiler reported no ${name}`)
  return Number(value)
}
