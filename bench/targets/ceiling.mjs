// The generator's ceiling: a constant for every piece that arrives, without reading it.
import { createServer } from 'node:net';
import { port } from './records.mjs';

const body = JSON.stringify({
  customer: { id: '65a000000000000000000001', filler: 'x'.repeat(380) },
});
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);

createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(response));
  socket.on('error', () => socket.destroy());
}).listen(port, '127.0.0.1');
