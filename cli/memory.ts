import { setFlagsFromString } from 'node:v8'

// V8 lets a heap grow to a multiple of what is alive before it collects: here to a quarter more, as CI machines are small
setFlagsFromString('--heap-growing-percent=25')
// it also keeps pages on which little is alive: with this flag it empties them, which takes some processor time
setFlagsFromString('--optimize-for-size')
// behind that flag, which sets it to 1
setFlagsFromString('--max-semi-space-size=8')
