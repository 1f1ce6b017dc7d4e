// What Node itself takes to start and to give a response, which no server can undercut.
import { createServer } from 'node:http';

createServer((_request, response) => response.end()).listen(Number(process.argv[2]), '127.0.0.1');
