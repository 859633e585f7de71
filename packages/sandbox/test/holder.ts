// Opens the state in a file, prints a line, and holds it until it is killed.
import { openSqlite } from '../src/store/sqlite.ts'

const store = openSqlite(process.argv[2])
console.log('open')
setInterval(() => store.read(async () => undefined), 1_000)
