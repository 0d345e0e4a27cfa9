export { connect, isEmptyFile } from '../../sql/connect.ts';
