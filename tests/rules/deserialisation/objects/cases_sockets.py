import pickle
import socket
import socketserver


class Worker(socketserver.StreamRequestHandler):
    def handle(self):
        task = pickle.load(self.rfile)  # expect: unsafe-deserialisation
        task.run()


def serve():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind(("0.0.0.0", 7001))
        listener.listen()
        peer, _ = listener.accept()
        with peer:
            return pickle.loads(peer.recv(4096))  # expect: unsafe-deserialisation
