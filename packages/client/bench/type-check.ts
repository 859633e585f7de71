import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))

/**
 * The compile cost of one file and its imports, by its path in this folder: type instantiations,
 * which are equal in every run, and the time to check without reading, parsing and binding, as the
 * minimum of three runs.
 *
 * @throws {Error} if it does not compile
 */
export function typeCost(file: string): { instantiations: number; milliseconds: number } {
  const reports = [typeCheck(file), typeCheck(file), typeCheck(file)]
  const least = (name: string) => Math.min(...reports.map((report) => figure(report, name)))
  return { instantiations: least('Instantiations'), milliseconds: least('Check time') * 1000 }
}

/** Uses a single thread, since several checkers would each count shared files. */
function typeCheck(file: string): string {
  const project = join(import.meta.dirname, 'generated', `tsconfig.${file.replace('/', '.')}.json`)
  const config = { extends: '../tsconfig.json', include: [], files: [`../${file}`] }
  writeFileSync(project, JSON.stringify(config))
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
