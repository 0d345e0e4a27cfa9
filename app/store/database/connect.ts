export { connect } from '../../sql/connect.ts';
